import { noKey, type Client } from "../client.ts";
import { inHome } from "../places.ts";
import { quoted } from "../quoted.ts";

export const cline: Client = {
  name: "cline",
  title: "Cline",
  programs: ["cline"],
  places: (computer) => [inHome(computer, ".cline")],
  settings: ({ url, model, token }) => {
    const key = token ? `"$${token.variable}"` : noKey;
    const words = ["--modelid", quoted(model), "--baseurl", quoted(`${url}/v1`)];
    return { format: "sh", text: `cline auth openai-compatible --apikey ${key} ${words.join(" ")}\n` };
  },
  notes: ({ token }) => (token ? ["Cline itself keeps the token in its settings then."] : []),
};
