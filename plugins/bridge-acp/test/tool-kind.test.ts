import { expect } from "chai";
import { kindOf } from "../tool-kind.ts";

describe("the kind of a call", () => {
  const kinds = {
    edit: ["file_operations.multi_replace_string", "apply_patch.patch", "notes_operations.create_note"],
    read: ["file_operations.list_dir", "version_control.diff", "document_operations.get_doc_info"],
    search: ["file_operations.grep_search", "code_intelligence.list_usages"],
    delete: ["file_operations.delete_file"],
    move: ["file_operations.rename_file"],
    execute: ["terminal_operations.run_command", "remote_execution.execute_remote"],
    fetch: ["web_operations.search"],
    think: ["think.think", "todo_operations.write"],
    other: ["agent_operations.spawn", "mcp_sample.wipe"],
  };
  for (const [kind, calls] of Object.entries(kinds))
    it(`is ${kind} for ${calls.join(", ")}`, () => {
      const told = calls.map((call) => kindOf(...(call.split(".") as [string, string])));
      expect(told).to.deep.equal(calls.map(() => kind));
    });
});
