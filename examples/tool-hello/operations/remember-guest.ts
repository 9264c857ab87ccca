import { defineOperation } from "@pergola/sdk";
import { guestsOf } from "../guest.ts";

export const rememberGuest = defineOperation({
  name: "remember_guest",
  description: "Note that somebody was here, and tell how often by now.",
  effect: "write",
  place: "own",
  parameters: {
    name: {
      type: "string",
      minLength: 1,
      maxLength: 100,
      description: "Who was here",
    },
  },
  required: ["name"],
  examples: [{ say: "remember that Ada was here", arguments: { name: "Ada" } }],
  async run({ name }, context) {
    const guests = guestsOf(context);
    const id = `${context.scope}/${name.toLowerCase()}`;
    const visits = ((await guests.get(id))?.visits ?? 0) + 1;
    await guests.put({ id, scope: context.scope, name, visits });
    const known = await guests.count({ scope: context.scope });
    return { data: { name, visits, known }, message: `${name} was here ${visits} times.` };
  },
});
