import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import type { Use, UseOf } from "./use.ts";

/** Writes the first word that it is given beyond its own into a file. */
const writer = "require('node:fs').writeFileSync(process.argv[1], process.argv[2])";

/** A run in the background ends, and the program of the settings is told of it. */
export const useNotices: UseOf = async (_, { model }): Promise<Use> => {
  const file = path.join(temporaryFolder(), "told");
  return {
    companions: ["endpoint-chat", "provider-chat-completions"],
    settings: {
      "providers.list": [{ type: "custom", base_url: model, retry_count: 0 }],
      "notify.command": [process.execPath, "-e", writer, file],
    },
    check: async ({ ask }) => {
      const messages = [{ role: "user", content: "Plan" }];
      const body = { model: "custom/test", messages, background: true };
      expect((await ask("POST", "/api/chat/completions", body)).status).to.equal(202);
      for (let tries = 0; !existsSync(file) && tries < 200; tries++) await setTimeout(50);
      expect(readFileSync(file, "utf8")).to.equal("response.completed");
    },
  };
};
