import { expect } from "chai";
import { chatReply, type MockScript } from "@pergola/sdk/testing";
import { ask, type Stage } from "./host.ts";
import { answer, calling, eventually, labCall, messagesOf, pendingIn, saying } from "./lab-stage.ts";

/** So many runs at work and so many that wait are taken; so many are asked for. */
const [parallel, waiting, asked] = [2, 6, 30] as const;

export const tightSettings = { "runs.max_parallel": parallel, "runs.max_waiting": waiting };

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A run that is told to wipe asks for an approval; others answer at once. */
export const wipingScript: MockScript = ({ body }) => {
  const { messages } = body as Asked;
  const last = messages.at(-1);
  if (last?.role === "user" && JSON.stringify(last.content).includes("wipe"))
    return calling(labCall("wipe", "all"));
  return last?.role === "user" || last?.role === "tool" ? saying("done") : chatReply({ text: "" });
};

interface Ended {
  readonly id: string;
  readonly status: number;
  readonly type: string;
  readonly retryAfter: number;
  readonly code: string | undefined;
}

/** Every third client wants the whole answer, every third a stream, and the others none of it. */
const forms = [{}, { stream: true }, { background: true }];

async function chat({ host }: Stage, id: string, text: string, more: object = {}): Promise<Ended> {
  const body = ask(text, { conversationId: id, ...more });
  const response = await host.request("POST", "/api/chat/completions", body);
  const said = await response.text();
  const isError = response.status >= 400;
  const { error } = isError ? (JSON.parse(said) as { error: { code: string } }) : { error: undefined };
  return {
    id,
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    retryAfter: Number(response.headers.get("retry-after")),
    code: error?.code,
  };
}

const textsOf = async ({ host }: Stage, id: string): Promise<readonly (readonly [string, unknown])[]> =>
  (await messagesOf(host, id))
    .filter(({ role, content }) => role !== "tool" && content !== "" && content !== null)
    .map(({ role, content }) => [role, content] as const);

/**
 * Asks hosts that share a storage for more runs than they take, while those at work wait for an approval:
 * exactly as many are taken as may be, others are refused before anything of them is begun, and in the end
 * each of them is answered and stored once.
 */
export async function expectLimit(stages: readonly Stage[]): Promise<void> {
  const at = (number: number): Stage => stages[number % stages.length]!;
  await chat(at(0), "old", "Hello");
  const before = await textsOf(at(0), "old");
  const ended: Ended[] = [];
  const ask = (id: string, number: number, text: string): Promise<Ended> =>
    chat(at(number), id, text, forms[number % forms.length]).then((end) => (ended.push(end), end));
  const wiping = ["wipe0", "wipe1"];
  const first = wiping.map((id, number) => ask(id, number, "wipe"));
  const questions = await Promise.all(wiping.map((id) => pendingIn(at(0).host, id)));
  const ids = Array.from({ length: asked }, (_, number) => `many${number}`);
  const all = ids.map((id, number) => ask(id, number, "Hello"));
  const refusedOnes = () => ended.filter(({ status }) => status === 503);
  await eventually(() => (refusedOnes().length === asked - waiting ? true : undefined));
  for (const { code, retryAfter, type } of refusedOnes())
    expect([code, retryAfter > 0, type]).to.deep.equal([
      "too_many_runs",
      true,
      "application/json; charset=utf-8",
    ]);
  for (const { id } of refusedOnes())
    for (const { host } of stages)
      expect((await host.request("GET", `/v1/conversations/${id}`)).status, id).to.equal(404);
  for (const stage of stages) expect((await chat(stage, "old", "More")).code).to.equal("too_many_runs");
  expect(await textsOf(at(0), "old")).to.deep.equal(before);
  const { body } = await at(0).host.json<{ runs: { status: string }[] }>("GET", "/api/runs?limit=1000");
  const open = body.runs.filter(({ status }) => status !== "ended").map(({ status }) => status);
  expect(open.filter((status) => status === "waiting")).to.have.lengthOf(parallel);
  expect(open.length).to.be.within(parallel, parallel + waiting);
  for (const { toolCallId } of questions) await answer(at(0).host, toolCallId, { approved: true });
  await Promise.all([...first, ...all]);
  for (let left = refusedOnes(); left.length > 0;)
    left = (await Promise.all(left.map(({ id }, number) => chat(at(number), id, "Hello")))).filter(
      ({ status }) => status === 503,
    );
  for (const id of ids)
    await eventually(async () => ((await textsOf(at(0), id)).length === 2 ? true : undefined));
  for (const id of ids)
    expect(await textsOf(at(0), id), id).to.deep.equal([
      ["user", "Hello"],
      ["assistant", "done"],
    ]);
}
