import { call, pathOf, type Plugin } from "../link/index.ts";
import { Fold, Items, Line, ReadView, Texts } from "../parts/index.ts";
import { linkTo } from "../state/index.ts";
import { counted, dayAndTime, joined, visible } from "../text/format.ts";
import { groupOf } from "./settings.tsx";

/** What it may reach, and what its process did wrong. */
function detailsOf({ permissions, strikes }: Plugin): Readonly<Record<string, unknown>> {
  const wrongs = strikes.map(({ time, kind, call: during, stderr }) =>
    joined(dayAndTime(time), kind, during, stderr),
  );
  return { ...permissions, ...(wrongs.length > 0 && { "What went wrong in it": wrongs.join("\n") }) };
}

function PluginLine({ plugin, again }: { readonly plugin: Plugin; readonly again: () => void }) {
  const { id, kind, version, official, state, isolation, sandbox, settings, strikes } = plugin;
  const enabled = state === "disabled";
  const change = () => call(pathOf(["api", "plugins", id]), "PATCH", { enabled }).then(again);
  const walls = isolation === "process" && `own process, ${sandbox ?? "no sandbox"}`;
  const facts = joined(kind, version, !official && "not official", walls, state.replace("_", " "));
  const [setting] = Object.keys(settings?.properties ?? {});
  const details = detailsOf(plugin);
  const name = joined("Permissions", strikes.length > 0 && counted(strikes.length, "strike"));
  const label = enabled ? "Switch on" : "Switch off";
  return (
    <Line
      name={id}
      note={[
        visible(plugin.description),
        <p>{facts}</p>,
        setting && <a href={linkTo("settings", groupOf(setting))}>Settings</a>,
        Object.keys(details).length > 0 && <Fold name={name} children={<Texts of={details} />} />,
      ]}
      fault={[plugin.fault, plugin.remedy].filter(Boolean).join(" ")}
      actions={[plugin.canDisable && { label, about: id, act: change, said: "In force after a restart" }]}
    />
  );
}

const weightOf = ({ fault, official }: Plugin): number => (fault === null ? 1 : 0) + (official ? 2 : 0);

/** What Pergola is made of here: first what was added to it, and there what has a fault. */
export const PluginsView = () => (
  <ReadView<{ plugins: readonly Plugin[] }> name="Plugins" path="/api/plugins">
    {({ plugins }, again) => (
      <Items of={[...plugins].sort((one, other) => weightOf(one) - weightOf(other))}>
        {(plugin) => <PluginLine key={plugin.id} plugin={plugin} again={again} />}
      </Items>
    )}
  </ReadView>
);
