import { expect } from "chai";
import type { JsonSchema } from "@pergola/sdk";
import { autonomousBody, chatBody } from "../../plugins/endpoint-chat/body-schema.ts";
import type { ChatAnswer } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

/** One value of each JSON type; none of them is an accepted word, name or number by accident. */
const samples = {
  string: "no such word",
  number: 0.5,
  boolean: true,
  null: null,
  array: [[]],
  object: { odd: 1 },
} as const;
type JsonType = keyof typeof samples;

const typeNames = (schema: JsonSchema): readonly string[] => {
  const literals = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])];
  const own = schema.type === undefined ? [] : [schema.type].flat();
  return [
    ...own,
    ...literals.map((value) => `word ${typeof value}`),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(typeNames),
  ];
};

/**
 * Every type that the schema does not take. 0.5 is no integer, and words outside an enumeration are wrong
 * too.
 */
const wrongTypes = (schema: JsonSchema): readonly JsonType[] => {
  const accepted = typeNames(schema);
  return (Object.keys(samples) as JsonType[]).filter((type) => !accepted.includes(type));
};

interface Field {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly wrap: (value: unknown) => object;
}

/** Every field of a body, those inside objects and lists too. */
function fieldsOf(schema: JsonSchema, path: string, wrap: (value: unknown) => unknown): readonly Field[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const set = (value: unknown): unknown => wrap({ [name]: value });
    return [{ path: at, schema: property, wrap: set as Field["wrap"] }, ...fieldsOf(property, at, set)];
  });
  const items =
    schema.items === undefined
      ? []
      : [{ path: `${path}[0]`, schema: schema.items, wrap: (value: unknown) => wrap([value]) as object }];
  return [...inside, ...items, ...(schema.anyOf ?? []).flatMap((part) => fieldsOf(part, path, wrap))];
}

const routes = { "/api/chat/completions": chatBody, "/api/chat/autonomous": autonomousBody };

describe("wrong types in a chat request", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const base = { model: "default", messages: [{ role: "user", content: "Hello" }] };
  const refuse = async (route: string, body: unknown, param: string) => {
    const answer = await stage.host.json<ChatAnswer>("POST", route, body);
    const shown = `${JSON.stringify(body)} → ${answer.status} ${JSON.stringify(answer.body)}`;
    expect(answer.status, shown).to.be.within(400, 422);
    expect(answer.body.error, shown).to.include({ type: "invalid_request_error" });
    expect(answer.body.error.code, shown).to.be.oneOf(["invalid_value", "missing_field", "out_of_range"]);
    expect(answer.body.error.message, shown).to.be.a("string").that.is.not.empty;
    const top = (name: string): string => name.split(/[.[]/)[0] ?? "";
    expect(top(answer.body.error.param ?? ""), shown).to.equal(top(param));
    const named = answer.body.error.param ?? "";
    expect(param === named || param.startsWith(named) || named.startsWith(param), shown).to.equal(true);
  };

  for (const [route, schema] of Object.entries(routes)) {
    verifies(["http:no-coercion", "R01"], `of ${route} are 400 naming the field`, async () => {
      const fields = fieldsOf(schema, "", (value) => value);
      expect(fields.length).to.be.above(50);
      for (const { path, schema: property, wrap } of fields)
        for (const type of wrongTypes(property))
          await refuse(route, { ...base, ...wrap(samples[type]) }, path);
    }).timeout(30_000);

    verifies(["http:no-coercion", "R01"], `instead of the body of ${route} are 400`, async () => {
      for (const body of [[], "text", 5, true, null]) {
        const { status, body: answer } = await stage.host.json<ChatAnswer>(
          "POST",
          route,
          JSON.stringify(body),
        );
        expect([status, answer.error.code], JSON.stringify(body)).to.deep.equal([400, "invalid_value"]);
      }
    });
  }

  verifies("http:no-coercion", "inside messages and tools are 400 naming the field", async () => {
    const call = (more: object) => ({
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" }, ...more }],
    });
    const tool = (more: object) => ({
      type: "function",
      function: { name: "f", parameters: { type: "object" }, ...more },
    });
    const faults: readonly (readonly [object, string])[] = [
      ...[5, true, {}, []].map(
        (role) => [{ messages: [{ role, content: "x" }] }, "messages[0].role"] as const,
      ),
      ...[5, true, {}].map(
        (content) => [{ messages: [{ role: "user", content }] }, "messages[0].content"] as const,
      ),
      ...[5, null, "x", {}].map(
        (part) => [{ messages: [{ role: "user", content: [part] }] }, "messages[0].content[0]"] as const,
      ),
      ...[5, {}, []].map(
        (name) => [{ messages: [{ role: "user", content: "x", name }] }, "messages[0].name"] as const,
      ),
      ...[5, {}, true].map(
        (reasoning_content) =>
          [
            { messages: [{ role: "assistant", content: "x", reasoning_content }] },
            "messages[0].reasoning_content",
          ] as const,
      ),
      ...[5, {}, []].map(
        (tool_call_id) =>
          [{ messages: [{ role: "tool", content: "x", tool_call_id }] }, "messages[0].tool_call_id"] as const,
      ),
      ...[5, "x", {}].map(
        (tool_calls) =>
          [
            { messages: [{ role: "assistant", content: "x", tool_calls }] },
            "messages[0].tool_calls",
          ] as const,
      ),
      ...[5, null, [5]].map(
        (one) =>
          [
            { messages: [{ role: "assistant", content: "x", tool_calls: [one] }] },
            "messages[0].tool_calls[0]",
          ] as const,
      ),
      ...[5, true, [], null].map(
        (args) =>
          [
            { messages: [call({ function: { name: "f", arguments: args } })] },
            "messages[0].tool_calls[0].function.arguments",
          ] as const,
      ),
      ...[5, null, "x"].map((one) => [{ tools: [one] }, "tools[0]"] as const),
      ...[5, null, "x", []].map(
        (named) => [{ tools: [{ type: "function", function: named }] }, "tools[0].function"] as const,
      ),
      ...[5, null, {}, "", "two words"].map(
        (name) => [{ tools: [tool({ name })] }, "tools[0].function.name"] as const,
      ),
      ...[5, {}, []].map(
        (description) => [{ tools: [tool({ description })] }, "tools[0].function.description"] as const,
      ),
      ...[5, true, [], "[]", "5", "{not json"].map(
        (parameters) => [{ tools: [tool({ parameters })] }, "tools[0].function.parameters"] as const,
      ),
    ];
    for (const [body, param] of faults) await refuse("/api/chat/completions", { ...base, ...body }, param);
  });

  it("never reach the provider", () => {
    expect(stage.provider.requests.length).to.equal(0);
  });
});
