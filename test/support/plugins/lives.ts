import type { Lifecycle } from "../../../core/plugins/lifecycle.ts";
import { pluginScene, type PluginScene } from "./plugin-scene.ts";
import { writePlugin, type PluginSource } from "./write-plugin.ts";

/** What the plugins of these tests write down, in order. */
export const written: string[] = [];
(globalThis as unknown as Record<string, unknown>)["writtenByPlugins"] = written;
export const write = (text: string): string => `globalThis.writtenByPlugins.push(${JSON.stringify(text)});`;

export const toolsOf = (lifecycle: Lifecycle): readonly string[] =>
  lifecycle.registry.tools.map(({ tool }) => tool.name);

/** For a suite: a folder for plugins, and a host that lives with them. */
export function lives() {
  let scene: PluginScene;
  const policy = (id: string, fields: string, more: Partial<PluginSource> = {}): string =>
    writePlugin(scene.folder, { id, kind: "policy", code: `export default { ${fields} };`, ...more });
  beforeEach(() => {
    scene = pluginScene();
    written.length = 0;
  });
  afterEach(() => scene.stop());
  return {
    get scene(): PluginScene {
      return scene;
    },
    policy,
  };
}
