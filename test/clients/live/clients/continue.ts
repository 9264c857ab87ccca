import { connect, program, versionOf, type Client } from "../client.ts";

export const continueCli: Client = {
  name: "Continue",
  row: "continue",
  packages: ["@continuedev/cli"],
  // Its headless mode prints the answer as a whole.
  lacks: ["stream", "arguments"],
  tool: {
    names: ["Bash"],
    arguments: (stone) => ({ command: `cat quarry/stone-${stone}.txt` }),
  },
  prepare: (place) => connect(place, "continue"),
  check: versionOf("cn"),
  command: ({ prompt, before }, place) => ({
    words: [
      program(place, "cn"),
      ...["--print", "--auto", "--config", `${place.home}/.continue/config.yaml`],
      ...(before === undefined ? [] : ["--resume"]),
      prompt,
    ],
    environment: { CONTINUE_TELEMETRY_ENABLED: "0" },
  }),
  answer: (output) => output.trim(),
};
