import { expect } from "chai";
import type { ChatMessage, JsonObject, Provider } from "@pergola/sdk";
import { frame } from "@pergola/sdk/testing";
import { ThoughtSignatures } from "../thought-signatures.ts";
import { answering, ask, chunk, open, user } from "./support.ts";

const skipped = "skip_thought_signature_validator";

/** A provider that answers with these chunks in turn, and what it was sent. */
async function playing(
  ...answers: readonly (readonly object[])[]
): Promise<{ provider: Provider; lastParts: () => readonly JsonObject[] }> {
  const bodies: string[] = [];
  const provider = await open(
    {},
    {
      fetch: (url, init) => {
        const at = bodies.push(String(init.body ?? "")) - 1;
        return answering((answers[at] ?? [chunk([{ text: "Done." }], "STOP")]).map((one) => frame(one)))(
          url,
          init,
        );
      },
    },
  );
  const lastParts = () =>
    (JSON.parse(bodies.at(-1) ?? "{}") as { contents: { parts: JsonObject[] }[] }).contents.flatMap(
      ({ parts }) => parts,
    );
  return { provider, lastParts };
}

const calling = (ids: readonly string[], content: string | null = null): ChatMessage => ({
  role: "assistant",
  content,
  toolCalls: ids.map((id) => ({ id, name: "weather", arguments: "{}" })),
});
const answer = (toolCallId: string): ChatMessage => ({ role: "tool", toolCallId, content: "{}" });
const signaturesOf = (parts: readonly JsonObject[]) =>
  parts.filter((part) => "functionCall" in part).map((part) => part["thoughtSignature"]);

describe("thought signatures", () => {
  it("come back on the calls that they came with: of parallel ones only the first has one", async () => {
    const { provider, lastParts } = await playing([
      chunk(
        [
          { functionCall: { name: "weather" }, thoughtSignature: "c2ln" },
          { functionCall: { name: "weather" } },
        ],
        "STOP",
      ),
    ]);
    const { ids } = await ask(provider, { tools: [] });
    await ask(provider, { messages: [user("Weather?"), calling(ids), ...ids.map(answer)] });
    expect(signaturesOf(lastParts())).to.deep.equal(["c2ln", undefined]);
  });

  it("come back for every step of a turn, also once the turn is over", async () => {
    const { provider, lastParts } = await playing(
      [chunk([{ functionCall: { id: "a", name: "weather" }, thoughtSignature: "one" }], "STOP")],
      [chunk([{ functionCall: { id: "b", name: "weather" }, thoughtSignature: "two" }], "STOP")],
    );
    await ask(provider);
    await ask(provider);
    const turn = [user("Weather?"), calling(["a"]), answer("a"), calling(["b"]), answer("b")];
    for (const messages of [
      turn,
      [...turn, { role: "assistant", content: "Sunny." } as const, user("And now?")],
    ]) {
      await ask(provider, { messages });
      expect(signaturesOf(lastParts())).to.deep.equal(["one", "two"]);
    }
  });

  it("come back with the text that they came with", async () => {
    const { provider, lastParts } = await playing([
      chunk([{ text: "Sun" }]),
      chunk([{ text: "ny." }]),
      chunk([{ text: "", thoughtSignature: "c2ln" }], "STOP"),
    ]);
    await ask(provider);
    await ask(provider, {
      messages: [user("Weather?"), { role: "assistant", content: "Sunny." }, user("Thanks.")],
    });
    expect(lastParts()).to.deep.equal([
      { text: "Weather?" },
      { text: "Sunny." },
      { text: "", thoughtSignature: "c2ln" },
      { text: "Thanks." },
    ]);
    await ask(provider, {
      messages: [user("Weather?"), { role: "assistant", content: "Rainy." }, user("Thanks.")],
    });
    expect(JSON.stringify(lastParts())).to.not.include("c2ln");
  });

  it("of another model's calls are told as left out: on the first call of each step of this turn, and only to models that insist", async () => {
    const messages = [
      user("One"),
      calling(["old"]),
      answer("old"),
      user("Two"),
      calling(["x", "y"]),
      answer("x"),
      answer("y"),
      calling(["z"]),
      answer("z"),
    ];
    const { provider, lastParts } = await playing();
    const told: Readonly<Record<string, readonly (string | undefined)[]>> = {
      "gemini-3-flash": [undefined, skipped, undefined, skipped],
      "gemini-4-pro": [undefined, skipped, undefined, skipped],
      "gemini-flash-latest": [undefined, skipped, undefined, skipped],
      "gemini-2.5-flash": [undefined, undefined, undefined, undefined],
      "gemma-4-26b": [undefined, undefined, undefined, undefined],
    };
    for (const [model, expected] of Object.entries(told)) {
      await ask(provider, { model, messages });
      expect(signaturesOf(lastParts()), model).to.deep.equal(expected);
    }
  });

  it("are kept up to a limit, the newest of them", () => {
    const signatures = new ThoughtSignatures();
    const long = "x".repeat(1024 * 1024);
    for (let at = 0; at < 20; at++) signatures.addForCall(`c${at}`, long);
    signatures.addForCall("c19", long);
    const kept = Array.from({ length: 20 }, (_, at) => signatures.ofCall(`c${at}`) !== undefined);
    expect(kept.indexOf(true)).to.equal(4);
    expect(kept.lastIndexOf(false)).to.equal(3);
  });
});
