import { expect } from "chai";
import type { Belongings } from "../belongings.ts";
import { checkPackage } from "../check-package.ts";
import { fileName } from "../file-name.ts";
import type { NewIds } from "../new-ids.ts";
import type { PackedMessage } from "../package-form.ts";
import { readMessages, readResult, withAnswers } from "../read-messages.ts";
import { readTree } from "../read-tree.ts";
import { writeMarkdown } from "../write-markdown.ts";

const now = "2026-03-01T10:00:00.000Z";
const ids: NewIds = {
  call: (id) => (id === "call_old" ? "call_new" : id),
  results: (text) => text.replaceAll("res_old", "res_new"),
};
const call = (id: string) => ({ id, function: { name: "lab", arguments: "{}" } });
const fit = () => [];

describe("a package that is read", () => {
  it("keeps numbers, hides what nobody saw, and leaves runs behind", () => {
    const packed: readonly PackedMessage[] = [
      { role: "user", content: "Hi", seq: 3, runId: "run_1", id: "theirs" },
      { role: "tool", toolCallId: "call_old", content: "see res_old", seq: 7 },
    ];
    const [first, second] = readMessages(packed, "c", ids, now);
    expect(first).to.deep.include({
      seq: 3,
      runId: null,
      conversationId: "c",
      type: "user",
      visible: true,
      timestamp: now,
    });
    expect(first?.id).not.to.equal("theirs");
    expect(second).to.deep.include({
      toolCallId: "call_new",
      content: "see res_new",
      visible: false,
      type: "toolExecution",
    });
  });

  it("H3: gives what others had replaced in an old package a branch of its own, to be seen again", () => {
    const packed: readonly PackedMessage[] = [
      { role: "user", content: "One?", seq: 3 },
      { role: "assistant", content: "old", superseded: true, completionReason: "workflow_complete", seq: 9 },
      { role: "assistant", content: "new", seq: 12 },
    ];
    const { messages, branches } = readTree({ messages: packed }, readMessages(packed, "c", ids, now));
    const [question, old, answer] = messages;
    expect(old).to.deep.include({ visible: true, parentMessageId: question?.id, seq: 9 });
    expect(answer).to.deep.include({ visible: true, parentMessageId: question?.id, seq: 12 });
    for (const message of messages) expect(message).not.to.have.property("superseded");
    expect(branches).to.deep.include({ activeMessageId: answer?.id, messageCount: 2 });
  });

  it("goes on calling a renamed call by the provider's own id", () => {
    const [message] = readMessages(
      [{ role: "assistant", toolCalls: [call("call_old"), call("call_same")] }],
      "c",
      ids,
      now,
    );
    expect(message?.toolCalls).to.deep.equal([
      { id: "call_new", name: "lab", arguments: "{}", providerId: "call_old" },
      { id: "call_same", name: "lab", arguments: "{}" },
    ]);
  });

  it("answers the open calls of the service's own tools, and not those that the caller answers", () => {
    const warnings: string[] = [];
    const asked = readMessages(
      [{ role: "assistant", seq: 4, toolCalls: [call("a"), { ...call("b"), callers: true }] }],
      "c",
      ids,
      now,
    );
    const closed = withAnswers(asked, (text) => void warnings.push(text));
    expect(closed.slice(1).map(({ seq, toolCallId, role }) => [seq, toolCallId, role])).to.deep.equal([
      [5, "a", "tool"],
    ]);
    expect(warnings).to.have.lengthOf(1);
    expect(withAnswers(closed, (text) => void warnings.push(text))).to.equal(closed);
  });

  it("counts a result anew: code points and bytes", () => {
    const result = readResult(
      { resultId: "res_old", content: "𝔸é", bytes: 99, totalLength: 99 },
      "c",
      ids,
      now,
    );
    expect(result).to.include({
      resultId: "res_new",
      id: "res_new",
      totalLength: 2,
      bytes: 6,
      conversationId: "c",
    });
  });

  it("names at most five faults, and how many more there are", () => {
    const messages = Array.from({ length: 8 }, (_, index) => ({
      role: "tool" as const,
      toolCallId: `call_${index}`,
      content: "",
    }));
    const check = () => checkPackage({ formatVersion: "1.0", conversation: { messages } }, fit);
    expect(check)
      .to.throw(/and 3 more\.$/)
      .with.property("code", "invalid_value");
  });

  it("takes packages of the same first number", () => {
    const pack = { formatVersion: "1.7", conversation: { messages: [] } };
    expect(checkPackage(pack, fit)).to.equal(pack);
    expect(() => checkPackage({ ...pack, formatVersion: "2.0" }, fit)).to.throw("formatVersion");
  });

  it("refuses an archive that names messages that are not there", () => {
    const archive = [{ first: 1, last: 4 }];
    expect(() =>
      checkPackage(
        { formatVersion: "1.0", conversation: { messages: [{ role: "user", content: "" }] }, archive },
        fit,
      ),
    ).to.throw("archive[0]");
  });
});

describe("an exported file", () => {
  it("has a name that every file system takes", () => {
    expect(fileName({ title: "Über ../../etc/passwd: \u0000 Plan!", updated: now }, "md")).to.equal(
      "u-ber-etc-passwd-plan-2026-03-01.md",
    );
    expect(fileName({ title: "計画", updated: now }, "json")).to.equal("conversation-2026-03-01.json");
    expect(fileName({ title: "x".repeat(500), updated: now }, "json").length).to.be.below(80);
  });

  it("as Markdown shows the active branch alone, counts pictures, and shows failures", async () => {
    const list = async function* (items: readonly object[]) {
      yield* items;
    };
    const messages = [
      {
        role: "user",
        content: "Look",
        timestamp: now,
        contentParts: [{ type: "text" }, { type: "image_url" }],
      },
      {
        role: "tool",
        content: '{"success":false,"error":"No such file"}',
        toolName: "lab",
        toolOperation: "peek",
        toolStatus: "error",
      },
    ];
    const other = { role: "assistant", content: "on another branch", timestamp: now };
    const belongings = {
      conversation: { title: "A\nplan", created: now, model: null },
      messages: ({ allBranches = false } = {}) => list(allBranches ? [...messages, other] : messages),
      memories: () =>
        list([{ content: "Beans", contentType: "fact", createdAt: now, scopeKind: "topic", key: null }]),
      todos: async () => [],
      folder: async () => ({ name: "Garden" }),
      topic: async () => undefined,
    } as unknown as Belongings;
    let text = "";
    for await (const piece of writeMarkdown(
      { redact: (said) => said.replace("Look", "[redacted]") },
      belongings,
      { exportedAt: now },
    ))
      text += piece;
    expect(text).to.match(/^# A plan\n\n- Begun: 2026-03-01 10:00 UTC\n- Folder: Garden\n/);
    expect(text).to.include("[redacted]\n\n_1 picture_").and.not.include("another branch");
    expect(text).to.include("**lab.peek** (error)\n\n```\nNo such file\n```");
    expect(text).to.include("# Memories\n\n- Beans _(fact, 2026-03-01, topic)_");
  });
});
