import type { Client } from "../client.ts";

export const homeAssistant: Client = {
  name: "home-assistant",
  title: "Home Assistant",
  settings: ({ url, model }) => ({
    format: "steps",
    text: [
      "1. Settings, Devices & services, Add integration, Ollama.",
      `2. URL: ${url}`,
      `3. Model: ${model}`,
      "",
    ].join("\n"),
  }),
  notes: ({ token }) => [
    "On another computer it needs an address of this one, and Pergola has to listen for it: " +
      "docs/remote-access.md",
    ...(token ? ["A token goes into the field for the API key, where your version has one."] : []),
  ],
};
