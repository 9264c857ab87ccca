import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call, pageKey, type PreferenceSchema } from "../link/index.ts";
import { signOut } from "../link/session.ts";
import { Button, Reading, Select, useRead } from "../parts/index.ts";
import { chooseTheme, chosenTheme, type Theme } from "../parts/theme.ts";
import { linkTo } from "../state/index.ts";
import { Permissions } from "./permissions.tsx";
import { SettingField } from "./setting-field.tsx";

async function readPreferences() {
  const [{ preferences: schema }, { preferences: values }] = await Promise.all([
    call<{ preferences: PreferenceSchema[] }>("/api/preferences/schema"),
    call<{ preferences: Record<string, unknown> }>("/api/preferences"),
  ]);
  return { schema, values };
}

const groupOf = (key: string): string => (key.includes(".") ? (key.split(".")[0] ?? "") : "general");
const nameOf = (group: string): string =>
  (group[0] ?? "").toUpperCase() + group.slice(1).replaceAll("_", " ");

const themes = { system: "As the system", light: "Light", dark: "Dark" } satisfies Record<Theme, string>;

function Appearance() {
  const [theme, setTheme] = useState(chosenTheme());
  const choose = (next: string) => setTheme(chooseTheme(next as Theme));
  return (
    <div class="setting">
      <label for="theme">Appearance</label>
      <Select id="theme" value={theme} options={Object.entries(themes)} choose={choose} />
      <p class="faint">In this browser</p>
    </div>
  );
}

function About() {
  const licenses = document.querySelector<HTMLLinkElement>("link[rel=license]")?.href ?? "";
  return (
    <p class="faint about">
      <a href={licenses} target="_blank" rel="noopener noreferrer">
        Licenses of what the page is made with
      </a>
      {pageKey.get() !== null && (
        <Button look="quiet" press={signOut}>
          Sign out
        </Button>
      )}
    </p>
  );
}

function groupsOf(schema: readonly PreferenceSchema[]): readonly string[] {
  const found = new Set(schema.map(({ key }) => groupOf(key)));
  found.delete("general");
  return ["general", "permissions", ...[...found].sort()];
}

/** What is set elsewhere than in preferences. */
const others: Readonly<Record<string, () => ComponentChildren>> = {
  general: Appearance,
  permissions: Permissions,
};

/** Preferences as the service describes them. */
export function SettingsView({ group = "general" }: { readonly group?: string | undefined }) {
  const read = useRead(readPreferences, "");
  const [words, setWords] = useState("");
  const shown = words === "" ? group : "";
  const Others = others[shown] ?? (() => null);
  const fits = ({ key, description }: PreferenceSchema) =>
    shown !== ""
      ? groupOf(key) === shown
      : `${key} ${description}`.toLowerCase().includes(words.toLowerCase());
  return (
    <div class="view settings">
      <h1>Settings</h1>
      <input
        type="search"
        aria-label="Search settings"
        placeholder="Search settings"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <Reading read={read}>
        {({ schema, values }) => (
          <div class="settings-body">
            <ul class="groups" aria-label="Groups of settings">
              {groupsOf(schema).map((one) => (
                <li>
                  <a href={linkTo("settings", one)} aria-current={one === shown ? "page" : undefined}>
                    {nameOf(one)}
                  </a>
                </li>
              ))}
            </ul>
            <div class="fields">
              <h2>{shown !== "" ? nameOf(shown) : `Settings with “${words}”`}</h2>
              <Others />
              {schema.filter(fits).map((one) => (
                <SettingField key={one.key} schema={one} value={values[one.key]} again={read.again} />
              ))}
              {shown === "general" && <About />}
            </div>
          </div>
        )}
      </Reading>
    </div>
  );
}
