import { defineOperation } from "@pergola/sdk";
import { card } from "../parameters.ts";

export const getTerminalSelection = defineOperation({
  name: "get_terminal_selection",
  description: "Read what is selected on the screen: nothing, for there is no screen.",
  effect: "read",
  hidden: true,
  parameters: {},
  display: () => card("Read the selection", ""),
  run: async () => ({
    data: "",
    message: "There is no screen, so nothing is selected. Use get_terminal_buffer.",
  }),
});
