import { definePlugin } from "@pergola/sdk";
import { bridgedTool } from "./bridged-tool.ts";
import { Greeter } from "./greeter.ts";

export default definePlugin({
  register(host) {
    host.tap("collectTools", async (registry) => {
      const greeter = new Greeter(host.settings["sample_name.greetings"] as readonly string[]);
      registry.add(await bridgedTool(greeter));
    });
  },
});
