import { expect } from "chai";
import { describe as describeQuestion } from "../../../core/cli/ask-person.ts";
import type { Preview } from "@pergola/sdk/host";
import type { Question } from "../../../core/cli/read-events.ts";

const question = (given: Partial<Question>): Question => ({
  type: "user_input_required",
  toolCallId: "call_1",
  kind: "approval",
  prompt: "Deletes a file",
  context: null,
  tool: "file_operations",
  operation: "delete_file",
  arguments: {},
  paths: [],
  options: [],
  authorize_operation: null,
  ...given,
});

describe("what a person is shown before a decision", () => {
  it("is the operation, every argument and every path", () => {
    const shown = describeQuestion(
      question({ arguments: { filePath: "a.txt", force: true }, paths: ["/w/a.txt"] }),
    );
    expect(shown).to.equal(
      "Deletes a file\n  file_operations.delete_file\n  filePath: a.txt\n  force: true\n  path: /w/a.txt",
    );
  });

  it("marks the lines of a value, so that none of them can pass for one of ours", () => {
    const shown = describeQuestion(
      question({ arguments: { content: "x\n  path: /harmless" }, prompt: "One\n  path: /other" }),
    );
    expect(shown.split("\n").filter((line) => line.startsWith("  path:"))).to.deep.equal([]);
    expect(shown).to.include("    |   path: /harmless");
  });

  it("shows control characters as signs, in names as well", () => {
    const shown = describeQuestion(question({ arguments: { "a\u001b[2K": "b\r" }, paths: ["/w/\u202etxt"] }));
    expect(shown).to.include("  a␛[2K: b␍").and.include("  path: /w/\\u{202e}txt");
  });

  it("of a question for permission is the operation that a yes will cover", () => {
    const asked = question({
      kind: "question",
      tool: "user_collaboration",
      operation: "request_input",
      authorize_operation: "file_operations.delete_file",
    });
    expect(describeQuestion({ ...asked, arguments: { prompt: "May I?" } })).to.equal(
      "Deletes a file\n  file_operations.delete_file",
    );
  });

  const preview: Preview = {
    state: "ready",
    note: null,
    files: [],
    command: null,
    recipients: [],
    undo: "files",
  };

  it("is what a call would do in place of its arguments: no line of a path or command passes for ours", () => {
    const command = {
      line: "make\n  It can be taken back.",
      shell: "sh",
      workingDirectory: "/w\n  to nobody",
      host: null,
      sandbox: null,
      timeoutSeconds: 120,
      environment: [],
    };
    const shown = describeQuestion(
      question({ arguments: { command: "make" }, preview: { ...preview, command } }),
    );
    expect(shown.split("\n").slice(2)).to.deep.equal([
      "  $ make",
      "    |   It can be taken back.",
      "  sh in /w␊  to nobody, 120 s, no sandbox",
      "  Changes of files can be taken back, other effects cannot.",
    ]);
  });

  it("has the arguments too, where the lines of a file are not there", () => {
    const diff = { binary: false, additions: 1, deletions: 0, truncated: false };
    const file = {
      path: "/w/a.txt",
      from: null,
      change: "created",
      before: null,
      after: null,
      diff,
    } as const;
    const asked = question({ arguments: { content: "x" }, paths: ["/w/a.txt"] });
    const lines = describeQuestion({ ...asked, preview: { ...preview, files: [file] } }).split("\n");
    expect(lines).to.include.members(["  content: x", "  path: /w/a.txt", "  created /w/a.txt +1 -0"]);
  });

  it("P9: names the operation once, and shows an edit as what goes and what comes", () => {
    const prompt = "file_operations.replace_string: Edit a.txt";
    const shown = describeQuestion(
      question({
        prompt,
        operation: "replace_string",
        arguments: { filePath: "a.txt", oldString: "one\ntwo", newString: "three" },
      }),
    );
    expect(shown).to.equal(`${prompt}\n  filePath: a.txt\n    - one\n    - two\n    + three`);
  });
});
