import { expect } from "chai";
import type { Route } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { openApi } from "../open-api.ts";
import { getOpenApi } from "../routes.ts";

const handle = () => ({ body: {} });
const thing = { type: "object", required: ["name"], properties: { name: { type: "string" } } } as const;
const routes: readonly (Route & { readonly group: string })[] = [
  {
    group: "things",
    method: "GET",
    path: "/api/things",
    scope: "read",
    summary: "List",
    query: { limit: { type: "integer", description: "At most" } },
    response: thing,
    handle,
  },
  {
    group: "things",
    method: "POST",
    path: "/api/things",
    scope: "chat",
    summary: "Make",
    body: thing,
    response: thing,
    handle,
  },
  {
    group: "things",
    method: "GET",
    path: "/api/things/{id…}",
    scope: "read",
    aliases: ["/v1/things/{id…}"],
    summary: "Show",
    params: { id: { type: "string", description: "Any" } },
    response: thing,
    handle,
  },
  {
    group: "runs",
    method: "GET",
    path: "/api/runs/{runId}/events",
    scope: "read",
    summary: "Follow",
    handle,
  },
  {
    group: "system",
    method: "GET",
    path: "/health",
    scope: "open",
    summary: "Health",
    response: thing,
    handle,
  },
];
const document = openApi(routes, "1.2.3");
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

describe("the OpenAPI document", () => {
  it("has every method of every path, aliases too, and nothing else", () => {
    const served = Object.entries(document.paths).map(([path, methods]) => [path, Object.keys(methods)]);
    expect(served).to.deep.equal([
      ["/api/things", ["get", "post"]],
      ["/api/things/{id}", ["get"]],
      ["/v1/things/{id}", ["get"]],
      ["/api/runs/{runId}/events", ["get"]],
      ["/health", ["get"]],
    ]);
  });

  it("gives every operation an id of its own", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).to.deep.equal([
      "getApiThings",
      "postApiThings",
      "getApiThingsById",
      "getV1ThingsById",
      "getApiRunsByRunIdEvents",
      "getHealth",
    ]);
  });

  it("describes path and query parameters, the path's as required", () => {
    expect(document.paths["/v1/things/{id}"]?.["get"]?.parameters).to.deep.equal([
      { name: "id", in: "path", required: true, description: "Any", schema: { type: "string" } },
    ]);
    expect(document.paths["/api/things"]?.["get"]?.parameters).to.deep.equal([
      { name: "limit", in: "query", required: false, description: "At most", schema: { type: "integer" } },
    ]);
    expect(document.paths["/api/runs/{runId}/events"]?.["get"]?.parameters).to.deep.equal([
      { name: "runId", in: "path", required: true, description: undefined, schema: { type: "string" } },
    ]);
  });

  it("holds bodies and answers as the routes state them", () => {
    expect(document.paths["/api/things"]?.["post"]?.requestBody).to.deep.equal({
      required: true,
      content: { "application/json": { schema: thing } },
    });
    const answers = document.paths["/api/things"]?.["get"]?.responses;
    expect(answers?.["200"]?.content).to.deep.equal({ "application/json": { schema: thing } });
    const events = document.paths["/api/runs/{runId}/events"]?.["get"]?.responses["200"]?.content;
    expect(events).to.have.property("text/event-stream");
  });

  it("O1: leaves the failures open where a route does not name them", () => {
    const reference = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
    const failed = operations.map(({ responses }) => responses["default"]?.content);
    expect(failed).to.deep.equal(operations.map(() => reference));
    expect(document.components.schemas["Error"]?.required).to.deep.equal(["error"]);
  });

  it("O1, R01: has each status of a route that names its failures, and its other answers", () => {
    const made: typeof routes = [
      {
        group: "things",
        method: "PUT",
        path: "/api/things/{id}",
        scope: "chat",
        summary: "Make",
        body: thing,
        answers: { 201: { "application/json": { ...thing, title: "Thing" } }, 202: {} },
        failures: ["in_use"],
        handle,
      },
    ];
    const { paths, components } = openApi(made, "1");
    const responses = paths["/api/things/{id}"]?.["put"]?.responses ?? {};
    expect(Object.keys(responses).join(" ")).to.equal("201 202 400 401 403 404 409 413 415 429 500 503");
    expect(responses["201"]?.content).to.deep.equal({
      "application/json": { schema: { $ref: "#/components/schemas/Thing" } },
    });
    expect(responses["202"]).not.to.have.property("content");
    expect(responses["409"]?.description).to.include("in_use");
    expect(Object.keys(components.schemas)).to.deep.equal(["Error", "Thing"]);
  });

  it("O1: says of a route that always fails that its success is never sent", () => {
    const facts = {
      group: "runs",
      method: "POST",
      path: "/api/undo",
      scope: "chat",
      summary: "Undo",
    } as const;
    const failing = { ...facts, answers: {}, failures: ["not_found"], handle };
    const responses = openApi([failing], "1").paths["/api/undo"]?.["post"]?.responses ?? {};
    expect(responses["200"]).to.deep.equal({ description: "Never sent: the request always fails" });
    expect(responses["404"]?.description).to.include("not_found");
  });

  it("O1: documents no annotation that is Pergola's own, and the items of every array", () => {
    const body = {
      type: "object",
      properties: {
        name: { type: "string", description: "A name", aliases: ["title"] },
        hidden: { type: "boolean", hidden: true },
        file: { type: "string", format: "path" },
        list: { type: "array" },
        part: { type: "object", description: "A part", documentedAs: thing },
      },
    } as const;
    const one = {
      group: "things",
      method: "POST",
      path: "/a",
      scope: "read",
      summary: "A",
      body,
      handle,
    } as const;
    const { requestBody } = openApi([one], "1").paths["/a"]?.["post"] ?? {};
    expect(requestBody?.content["application/json"]?.schema.properties).to.deep.equal({
      name: { type: "string", description: "A name. Also accepted: title" },
      hidden: { type: "boolean" },
      file: { type: "string" },
      list: { type: "array", items: {} },
      part: { description: "A part", ...thing },
    });
  });

  it("asks for a token only where one may be needed", () => {
    expect(document.security).to.deep.equal([{}, { token: [] }]);
    expect(document.paths["/health"]?.["get"]?.security).to.deep.equal([]);
    expect(document.paths["/api/things"]?.["get"]).to.not.have.property("security");
  });

  it("is made from the route table that is served", async () => {
    const services = fakeServices({ system: { version: "1.2.3", routes: () => routes } });
    expect(await getOpenApi.handle(endpointRequest(), services)).to.deep.equal({ body: document });
  });
});
