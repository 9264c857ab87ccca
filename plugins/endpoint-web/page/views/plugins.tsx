import { call, pathOf, type Plugin } from "../link/index.ts";
import { Fold, Items, Line, ReadView, Texts } from "../parts/index.ts";
import { linkTo } from "../state/index.ts";
import { counted, joined, visible } from "../text/format.ts";
import { groupOf } from "./settings.tsx";

/** What it may reach, what its process did wrong, and the way to its settings. */
const Details = ({ plugin: { permissions, settings, strikes } }: Pick<LineProps, "plugin">) => (
  <Fold name={joined("Permissions and settings", strikes.length > 0 && counted(strikes.length, "strike"))}>
    <Texts of={{ ...permissions, ...(strikes.length > 0 && { strikes }) }} />
    {Object.keys(settings).map((key) => (
      <p children={<a href={linkTo("settings", groupOf(key))}>{key}</a>} />
    ))}
  </Fold>
);

type LineProps = Readonly<{ plugin: Plugin; again: () => void }>;

function PluginLine({ plugin, again }: LineProps) {
  const { id, kind, version, official, state, isolation, sandbox } = plugin;
  const enabled = state === "disabled";
  const change = () => call(pathOf(["api", "plugins", id]), "PATCH", { enabled }).then(again);
  const walls = isolation === "process" && `own process, ${sandbox ?? "no sandbox"}`;
  const facts = joined(kind, version, !official && "not official", walls, state.replace("_", " "));
  const label = enabled ? "Switch on" : "Switch off";
  return (
    <Line
      name={id}
      note={[visible(plugin.description), <p>{facts}</p>, <Details plugin={plugin} />]}
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
