import { expect } from "chai";
import type { Services } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { deleteMemory, getMemory, memories, updateMemory } from "../routes.ts";
import { scopeOf, scopeToStoreIn } from "../scope-of.ts";

const services = {
  conversations: {
    get: async (id: string) => ({ id }),
    scopeOf: ({ id }: { readonly id: string }) => `scope of ${id}`,
  },
} as unknown as Services;

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;

describe("whose memories are asked for", () => {
  it("are those of the scope in which the conversation remembers, of the topic, or all", async () => {
    expect(await scopeOf({ conversationId: "c" }, services)).to.equal("scope of c");
    expect(await scopeOf({ topicId: "ABCD" }, services)).to.equal("abcd");
    expect(await scopeOf({}, services)).to.equal(undefined);
  });

  it("are nobody's where topics are kept and there is no such topic", async () => {
    const none = Object.assign(new Error("none"), { code: "not_found" });
    const get = (id: string) => (id === "abcd" ? Promise.resolve({ id }) : Promise.reject(none));
    const topics = { get } as unknown as Services["topics"];
    expect(await scopeOf({ topicId: "ABCD" }, { ...services, topics })).to.equal("abcd");
    expect(
      codeOf(await scopeOf({ topicId: "other" }, { ...services, topics }).catch((error: unknown) => error)),
    ).to.equal("not_found");
  });

  it("are not clear when both are named", async () => {
    expect(
      codeOf(await scopeOf({ conversationId: "c", topicId: "t" }, services).catch((error: unknown) => error)),
    ).to.equal("invalid_value");
  });
});

describe("where something is remembered by hand", () => {
  const shared = {
    conversations: { ...services.conversations, idOf: (id: string) => id, scopeOf: () => "t" },
  } as unknown as Services;

  it("is where the conversation remembers, its topic if it shares one", async () => {
    expect(await scopeToStoreIn({ conversationId: "c" }, shared)).to.deep.equal({
      scope: "t",
      scopeKind: "topic",
      conversationId: "c",
    });
  });

  it("is no topic where no plugin keeps topics, and has to be named", async () => {
    const codes = [{ topicId: "t" }, {}].map(async (named) =>
      codeOf(await scopeToStoreIn(named, services).catch((error: unknown) => error)),
    );
    expect(await Promise.all(codes)).to.deep.equal(["not_found", "missing_field"]);
  });
});

describe("the memory that is asked", () => {
  it("is the part that a plugin brings, or a route that there is not", () => {
    for (const { method, path, handle } of memories.routes)
      expect(() => handle(endpointRequest(), services), `${method} ${path}`)
        .to.throw("No plugin that keeps memory is installed.")
        .with.property("code", "route_not_found");
  });

  it("knows ids in lower case", async () => {
    const ids: unknown[] = [];
    const take = async (id: string) => (ids.push(id), { source: null }) as never;
    const sources = async () => new Map<string, never>();
    const memory = { get: take, update: take, delete: take, sources };
    const request = endpointRequest({ params: { id: "ABC" }, body: { content: "x" } });
    for (const route of [getMemory, updateMemory, deleteMemory])
      await route.handle(request, fakeServices({ memory }));
    expect(ids).to.deep.equal(["abc", "abc", "abc"]);
  });
});
