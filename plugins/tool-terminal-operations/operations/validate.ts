import { defineOperation } from "@pergola/sdk";
import { card, command } from "../parameters.ts";
import { assess } from "../risk/assess.ts";

export const validate = defineOperation({
  name: "validate",
  description: "Tell how risky a command looks. It is advice: whether it runs is decided elsewhere.",
  effect: "none",
  hidden: true,
  parameters: { command },
  required: ["command"],
  display: ({ command: line }) => card("Check command", line),
  run: async ({ command: line }) => ({
    data: assess(line),
    message: "Judged by its text alone; what it does may differ.",
  }),
});
