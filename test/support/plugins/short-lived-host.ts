import { toolContext } from "@pergola/sdk/testing";
import { pluginScene } from "./plugin-scene.ts";

/**
 * A host with one isolated plugin, for a test that kills it: calls the plugin once and prints what it
 * answered.
 */
const lifecycle = await pluginScene().run([{ use: process.argv[2] ?? "", isolation: "process" }]);
const { data } = await lifecycle.registry.tools[0]!.tool.operations[0]!.run({} as never, toolContext());
process.stdout.write(JSON.stringify(data));
