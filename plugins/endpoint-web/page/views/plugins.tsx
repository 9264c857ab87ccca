import { useState } from "preact/hooks";
import { call, pathOf, type Plugin } from "../link/index.ts";
import { Fold, Items, Line, ReadView, Texts } from "../parts/index.ts";
import { linkTo } from "../state/index.ts";
import { counted, dayAndTime, joined, visible } from "../text/format.ts";
import { groupOf } from "./settings.tsx";

type PluginProps = Readonly<{ plugin: Plugin }>;

/** What it may reach, and what its process did wrong. */
function Permissions({ plugin: { permissions, strikes } }: PluginProps) {
  if (Object.keys(permissions).length + strikes.length === 0) return null;
  const wrongs = strikes.map(({ time, kind, call: during, stderr }) =>
    joined(dayAndTime(time), kind, during, stderr),
  );
  const texts = { ...permissions, "What went wrong in it": wrongs.join("\n") };
  const name = joined("Permissions", strikes.length > 0 && counted(strikes.length, "strike"));
  return <Fold name={name} children={<Texts of={texts} />} />;
}

function PluginLine({ plugin }: PluginProps) {
  const { id, kind, version, official, state, isolation, sandbox, settings } = plugin;
  const [isOn, switchTo] = useState(state !== "disabled");
  const isSwitched = isOn !== (state !== "disabled");
  const change = () =>
    call(pathOf(["api", "plugins", id]), "PATCH", { enabled: !isOn }).then(() => switchTo(!isOn));
  const walls = isolation === "process" && `own process, ${sandbox ?? "no sandbox"}`;
  const facts = joined(kind, version, !official && "not official", walls, state.replace("_", " "));
  const [setting] = Object.keys(settings?.properties ?? {});
  return (
    <Line
      name={id}
      note={[
        visible(plugin.description),
        <p>
          {facts} {setting && <a href={linkTo("settings", groupOf(setting))}>{`Settings of ${id}`}</a>}
        </p>,
        isSwitched && <p class="done">{`Switched ${isOn ? "on" : "off"} after a restart`}</p>,
        <Permissions plugin={plugin} />,
      ]}
      fault={[plugin.fault, plugin.remedy].filter(Boolean).join(" ")}
      actions={[plugin.canDisable && { label: isOn ? "Switch off" : "Switch on", about: id, act: change }]}
    />
  );
}

const weightOf = ({ fault, official }: Plugin): number => (fault === null ? 1 : 0) + (official ? 2 : 0);

/** What Pergola is made of here: first what was added to it, and there what has a fault. */
export const PluginsView = () => (
  <ReadView<{ plugins: readonly Plugin[] }> name="Plugins" path="/api/plugins">
    {({ plugins }) => (
      <Items of={[...plugins].sort((one, other) => weightOf(one) - weightOf(other))}>
        {(plugin) => <PluginLine key={plugin.id} plugin={plugin} />}
      </Items>
    )}
  </ReadView>
);
