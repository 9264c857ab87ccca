import { expect } from "chai";
import { readMessages } from "../read-messages.ts";

const call = (name: string, more: object = {}) => ({ ...more, function: { name, arguments: { n: name } } });
const assistant = (...calls: readonly object[]) => ({ role: "assistant", content: "", tool_calls: calls });
const answer = (content: string, more: object = {}) => ({ role: "tool", content, ...more });

/** Which call each answer is for. */
const answered = (...messages: readonly object[]): readonly string[] => {
  const read = readMessages(messages as never);
  const calls = read.flatMap(({ toolCalls = [] }) => toolCalls);
  return read
    .filter(({ role }) => role === "tool")
    .map(
      ({ content, toolCallId }) =>
        `${JSON.stringify(content)}: ${calls.find(({ id }) => id === toolCallId)?.name}`,
    );
};

describe("messages of clients of Ollama", () => {
  it("match answers with calls in order, by the tool's name and by id", () => {
    const calls = assistant(call("a"), call("b"), call("b"));
    expect(answered(calls, answer("1"), answer("2"), answer("3"))).to.deep.equal([
      '"1": a',
      '"2": b',
      '"3": b',
    ]);
    const named = [answer("1", { tool_name: "b" }), answer("2", { name: "a" }), answer("3")];
    expect(answered(calls, ...named)).to.deep.equal(['"1": b', '"2": a', '"3": b']);
    const ids = assistant(call("a", { id: "x" }), call("b", { id: "y" }));
    expect(answered(ids, answer("1", { tool_call_id: "y" }), answer("2"))).to.deep.equal([
      '"1": b',
      '"2": a',
    ]);
  });

  it("match answers of calls that are messages of their own, and none of an earlier turn", () => {
    const apart = [assistant(call("a")), assistant(call("b"))];
    expect(answered(...apart, answer("1"), answer("2"))).to.deep.equal(['"1": a', '"2": b']);
    const later = [assistant(call("a")), { role: "user", content: "Go on" }, assistant(call("b"))];
    expect(answered(...later, answer("1"))).to.deep.equal(['"1": b']);
    expect(() => answered(...later, answer("1"), answer("2"))).to.throw("answers no call");
  });

  it("have ids of calls that their history makes: the same again, and others elsewhere", () => {
    const idsOf = (...messages: readonly object[]) =>
      readMessages(messages as never).flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
    const first = [{ role: "user", content: "One" }, assistant(call("a"), call("a"))];
    const ids = idsOf(...first);
    expect(new Set(ids).size).to.equal(2);
    expect(idsOf(...first, answer("1"), answer("2"), assistant(call("a"))).slice(0, 2)).to.deep.equal(ids);
    const other = idsOf({ role: "user", content: "Two" }, assistant(call("a")));
    expect(ids).not.to.include(other[0]);
  });

  it("refuse an answer that no call waits for", () => {
    const messages = [assistant(call("a")), answer("1"), answer("2")];
    expect(() => answered(...messages))
      .to.throw("messages[2] answers no call")
      .with.property("code", "unknown_tool_call_id");
  });

  it("take images by their first bytes", () => {
    const typeOf = (image: string): unknown =>
      /data:(.*?);/.exec(JSON.stringify(readMessages([{ role: "user", content: "", images: [image] }])))?.[1];
    const images = ["iVBORw0KGgoAAA==", "/9j/4AAQ", "R0lGODlh", "UklGRiQA", "data:image/png;base64,/9j/4AAQ"];
    expect(images.map(typeOf)).to.deep.equal([
      "image/png",
      "image/jpeg",
      "image/gif",
      "image/webp",
      "image/jpeg",
    ]);
    expect(() => typeOf("AAAA")).to.throw("messages[0].images[0]");
  });
});
