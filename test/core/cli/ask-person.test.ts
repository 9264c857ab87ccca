import { expect } from "chai";
import { describe as describeQuestion } from "../../../core/cli/ask-person.ts";
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
