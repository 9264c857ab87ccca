import { defineOperation } from "@pergola/sdk";
import { card } from "../parameters.ts";
import { lastCommandOf } from "../sessions/last-command.ts";

export const getLastCommand = defineOperation({
  name: "get_last_command",
  description: "Tell what was run last in this conversation.",
  effect: "read",
  hidden: true,
  parameters: {},
  display: () => card("Look up the last command", ""),
  async run(_, { scope }) {
    const { command = "", working_directory = "", exitCode = null } = lastCommandOf(scope) ?? {};
    return {
      data: { command, working_directory, exitCode },
      message: command === "" ? "Nothing was run yet." : "",
    };
  },
});
