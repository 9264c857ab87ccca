import { expect } from "chai";
import type { ChatMessage, ModelEvent, OfferedTool, Provider } from "@pergola/sdk";
import { collectEvents, textOfEvents } from "@pergola/sdk/testing";
import { loadCatalogue } from "../bench/guide/catalogue.ts";
import { openGuide } from "../bench/guide/guide.ts";

/** What the operation says and gives back: nothing that could stand in an answer by chance. */
const receipt = "Receipt 7731 was written.";
const data = {
  first: "larch-42",
  count: 90_817,
  empty: [],
  list: [{ name: "row-a", size: 31_337 }, { name: "row-b" }],
  nested: { deep: { leaf: "willow-9" } },
};
const isWhole = (answer: string): boolean =>
  answer.startsWith(receipt) && values.every((value) => answer.includes(value));
const values = ["larch-42", "90817", "row-a", "31337", "row-b", "willow-9"];

interface Said {
  readonly say: string;
  readonly name: string;
}

const examplesOf = (tools: readonly OfferedTool[]): readonly Said[] =>
  tools.flatMap(({ name, operations = [] }) =>
    operations.flatMap((operation) =>
      operation.examples.map(({ say }) => ({ say, name: `${name}.${operation.name}` })),
    ),
  );

interface Answer {
  readonly text: string;
  /** A call was made, and its result is told. */
  readonly isCarriedOut: boolean;
}

/** The answer to a sentence, once the one call that it leads to, if any, has given the data back. */
async function answerTo(say: string, guide: Provider, tools: readonly OfferedTool[]): Promise<Answer> {
  const messages: ChatMessage[] = [{ role: "user", content: say }];
  const ask = async (): Promise<readonly ModelEvent[]> => {
    const call = { model: "guide", messages, tools, sampling: {} };
    return (await collectEvents(guide.stream(call, AbortSignal.timeout(60_000)))).events;
  };
  let events = await ask();
  if (textOfEvents(events).endsWith("Answer yes or no.")) {
    messages.push({ role: "assistant", content: textOfEvents(events) }, { role: "user", content: "yes" });
    events = await ask();
  }
  const call = events.find((event) => event.type === "tool_call");
  if (call === undefined) return { text: textOfEvents(events), isCarriedOut: false };
  const [id, content] = [
    "call_1",
    JSON.stringify({ success: true, data: JSON.stringify(data), message: receipt }),
  ];
  messages.push(
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id, name: call.name ?? "", arguments: call.arguments ?? "" }],
    },
    { role: "tool", toolCallId: id, content },
  );
  return { text: textOfEvents(await ask()), isCarriedOut: true };
}

describe("the guide's answers to the examples of all operations (G6)", function () {
  this.timeout(240_000);
  let guide: Provider;
  before(async () => {
    guide = await openGuide();
  });
  after(() => guide.close?.());

  it("G6: hold what the operation says and all that it gives back, or ask what is meant", async () => {
    const tools = await loadCatalogue();
    const examples = examplesOf(tools);
    const wrong: string[] = [];
    let carriedOut = 0;
    for (const { say, name } of examples) {
      const { text, isCarriedOut } = await answerTo(say, guide, tools);
      const isRight = isCarriedOut ? isWhole(text) : text.startsWith("I am not certain what you mean.");
      if (!isRight) wrong.push(`${name}: ${say} → ${text}`);
      carriedOut += Number(isCarriedOut);
    }
    expect(wrong).to.deep.equal([]);
    expect(examples.length).to.be.above(200);
    expect(carriedOut / examples.length).to.be.above(0.9);
  });
});
