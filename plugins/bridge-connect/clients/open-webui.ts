import type { Client } from "../client.ts";
import { quoted } from "../quoted.ts";

export const openWebui: Client = {
  name: "open-webui",
  title: "Open WebUI",
  programs: ["open-webui"],
  settings: ({ url, token }) => {
    const settings = token
      ? `OPENAI_API_BASE_URL=${quoted(`${url}/v1`)} OPENAI_API_KEY="$${token.variable}"`
      : `OLLAMA_BASE_URL=${quoted(url)}`;
    return { format: "sh", text: `${settings} open-webui serve\n` };
  },
  notes: () => [
    "In a container this address is that of the container. Let Pergola listen for other computers " +
      "then, and give it a token: docs/remote-access.md",
  ],
};
