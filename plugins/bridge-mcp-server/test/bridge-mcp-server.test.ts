import { expect } from "chai";
import {
  AppError,
  type ApprovalRecord,
  type EndpointAnswer,
  type HandCall,
  type ToolEntry,
} from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { answerOf } from "../answer-of.ts";
import { callTool } from "../call-tool.ts";
import type { ClientCall, Form, FormAnswer } from "../client.ts";
import plugin from "../index.ts";
import { offerOf, offeredOf } from "../offer-tools.ts";

const entry: ToolEntry = {
  name: "notes",
  description: "Notes.",
  enabled: true,
  enabledByDefault: true,
  available: true,
  unavailableReason: null,
  operations: [
    { name: "find", effect: "read", description: "Find notes.", required: ["query"] },
    { name: "burn", effect: "destructive", description: "Burn them.", required: [] },
  ],
  inputSchema: { type: "object", properties: { operation: { enum: ["find", "burn"] } } },
  source: "tool-notes",
};

const approval = {
  id: "a1",
  status: "pending",
  kind: "approval",
  tool: "notes",
  operation: "burn",
  reason: "it removes",
  prompt: "Burn?",
};
const record = {
  ...approval,
  arguments: { all: true },
  context: null,
  options: [],
  paths: ["/n"],
} as unknown as ApprovalRecord;
const display = { action: "", actionDisplayName: "", summary: "", details: [], icon: "" };

/** Services whose only tool asks the person once. */
function scene(answered: (input: unknown) => void = () => undefined) {
  let decide!: (yes: boolean) => void;
  const decision = new Promise<boolean>((resolve) => (decide = resolve));
  const calls: HandCall[] = [];
  const services = fakeServices({
    preferences: { get: <T>() => 0 as T },
    conversations: { idOf: (alias) => alias, get: async () => ({}) as never },
    approvals: {
      get: async () => record,
      answer: async (_, input) => {
        answered(input);
        decide(input.approved === true);
        return record;
      },
    },
    tools: {
      call: async (call) => {
        calls.push(call);
        call.watch?.onQuestion?.("a1");
        const yes = await decision;
        const result = yes
          ? { success: true, data: "burnt", message: "" }
          : { success: false, error: "no", message: "hint" };
        return { tool: "notes", callId: "c", display, result };
      },
    },
  });
  return { services, calls };
}

const clientCall = (ask: ClientCall["ask"]): ClientCall => ({
  trace: undefined,
  caller: endpointRequest().caller,
  client: "A Client/1",
  signal: new AbortController().signal,
  ask,
  progress: () => undefined,
});
const saying = (answer: FormAnswer, forms: Form[] = []): ClientCall =>
  clientCall(async (form) => (forms.push(form), answer));

describe("bridge-mcp-server", () => {
  it("offers a family with the lines of its operations and the hints of its strongest", () => {
    const offer = offerOf(entry);
    expect(offer.description).to.equal("Notes.\nfind(query): Find notes.\nburn(): Burn them.");
    expect(offer.annotations).to.deep.equal({ readOnlyHint: false, destructiveHint: true });
    expect(offeredOf([entry, { ...entry, enabled: false }, { ...entry, available: false }])).to.deep.equal([
      entry,
    ]);
  });

  it("never calls in the person's name", async () => {
    const { services, calls } = scene();
    await callTool("notes", {}, services, saying({ text: "allow once" }));
    expect(calls[0]).to.include({ userInitiated: false, conversationId: "mcp-a-client-1" });
  });

  it("takes only the words for a yes as one", async () => {
    for (const text of ["deny", "yes", "ALLOW ONCE", "allow once ", ""]) {
      const given: unknown[] = [];
      const answer = await callTool(
        "notes",
        {},
        scene((input) => given.push(input)).services,
        saying({ text }),
      );
      expect([answer.isError, given]).to.deep.equal([true, [{ approved: false }]]);
    }
    const forms: Form[] = [];
    const answer = await callTool("notes", {}, scene().services, saying({ text: "allow once" }, forms));
    expect(answer).to.deep.equal({ content: [{ type: "text", text: "burnt" }], isError: false });
    expect(forms[0]?.message)
      .to.include("Burn?")
      .and.to.include("it removes")
      .and.to.include('"all": true')
      .and.to.include("/n");
  });

  it("a client that fails to ask has not said yes", async () => {
    const { services } = scene(() => expect.fail("it was answered"));
    const failing = clientCall(() =>
      Promise.reject(new AppError({ code: "internal_error", message: "gone" })),
    );
    expect((await callTool("notes", {}, services, failing)).content[0]?.text).to.include("approval_required");
  });

  it("stops reading a stream whose client has gone, even while nothing comes", async () => {
    const leave = new AbortController();
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const answer: EndpointAnswer = await answerOf(response, leave.signal);
    if (!("chunks" in answer)) throw new Error("It is no stream.");
    const next = answer.chunks[Symbol.asyncIterator]().next();
    leave.abort();
    expect((await next).done).to.equal(true);
    expect(cancelled).to.equal(true);
  });

  it("answers without a session as the protocol wants it", async () => {
    const routes = (plugin.endpoints ?? []).flatMap((group) => group.routes);
    const post = routes.find(({ method, path }) => method === "POST" && path === "/mcp");
    const request = endpointRequest({ rawBody: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
    const services = fakeServices({
      preferences: { watch: () => undefined } as never,
      system: { stopping: false } as never,
    });
    const error = await Promise.resolve(post?.handle(request, services)).catch((cause: unknown) => cause);
    expect(error).to.have.property("status", 400);
  });
});
