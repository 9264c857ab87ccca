import type { Grant } from "@pergola/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call, pageKey, pathOf, type PreferenceSchema, signOut } from "../link/index.ts";
import { Button, Fold, From, Items, Line, Search } from "../parts/index.ts";
import { linkTo, takeChoices, titleOf } from "../state/index.ts";
import { clockTime, visible } from "../text/format.ts";
import { SettingField } from "./setting-field.tsx";

async function readPreferences() {
  const [{ preferences: schema }, { preferences: values }] = await Promise.all([
    call<{ preferences: PreferenceSchema[] }>("/api/preferences/schema"),
    call<{ preferences: Record<string, unknown> }>("/api/preferences"),
  ]);
  takeChoices(values);
  return schema.map((one) => ({ schema: one, value: values[one.key] }));
}

type Preference = Awaited<ReturnType<typeof readPreferences>>[number];

const groupOf = (key: string): string => (key.includes(".") ? (key.split(".")[0] ?? "") : "general");
const nameOf = (group: string): string =>
  (group[0] ?? "").toUpperCase() + group.slice(1).replaceAll("_", " ");

function About() {
  const licenses = document.querySelector<HTMLLinkElement>("link[rel=license]")?.href ?? "";
  return (
    <p class="faint about">
      <a href="/docs">Documentation</a>
      <a href={licenses}>Licenses of what the page is made with</a>
      {pageKey() !== null && <Button look="quiet" press={signOut} label="Sign out" />}
    </p>
  );
}

function spanOf({ expiresAt, usesLeft }: Grant): string {
  if (expiresAt !== null) return `until ${clockTime(expiresAt)}`;
  return usesLeft === null ? "as long as it is there" : "once";
}

const revoke = ({ id }: Grant) => call(pathOf(["api", "grants", id]), "DELETE");
const revoking = { label: "Revoke", isFinal: true, said: "Revoked" } as const;

const whereOf = ({ paths }: Grant) => (paths.length > 0 ? ` in ${paths.map(visible).join(", ")}` : "");

/** What calls may do without asking, because a person has said so. */
const Permissions = () => (
  <From<{ grants: readonly Grant[] }> path="/api/grants">
    {({ grants }) => (
      <Items of={grants} empty="Everything that is risky asks you first.">
        {(grant) => (
          <Line
            key={grant.id}
            name={visible(grant.operation) + whereOf(grant)}
            note={[
              `${spanOf(grant)}, in `,
              <a href={linkTo("c", grant.conversationId)}>{titleOf(grant.conversationId)}</a>,
            ]}
            actions={[{ ...revoking, about: grant.operation, act: () => revoke(grant) }]}
          />
        )}
      </Items>
    )}
  </From>
);

type Draw = (found: readonly Preference[]) => ComponentChildren;

const drawAll: Draw = (found) => (
  <Items of={found}>{(one) => <SettingField key={one.schema.key} {...one} />}</Items>
);

type PreferencesProps = Readonly<{ fits: (one: Preference) => boolean; children?: Draw }>;

export const Preferences = ({ fits, children = drawAll }: PreferencesProps) => (
  <From path="preferences" read={readPreferences} children={(all) => children(all.filter(fits))} />
);

/** All preferences in groups to be opened; a search opens what it finds. */
export function SettingsView({ group = "general" }: { readonly group?: string | undefined }) {
  const [words, setWords] = useState("");
  const fits = ({ schema: { key, description } }: Preference) =>
    `${key} ${description}`.toLowerCase().includes(words.toLowerCase());
  return [
    <Search name="Search settings" find={setWords} type={setWords} />,
    <Preferences fits={fits}>
      {(found) => {
        const groups = Map.groupBy(found, ({ schema: { key } }) => groupOf(key));
        const first = words === "" ? [group, "general", "permissions"] : [];
        return [...new Set([...first, ...[...groups.keys()].sort()])].map((name) => (
          <Fold key={`${name} ${words}`} name={nameOf(name)} isOpen={name === group || words !== ""}>
            {name === "permissions" && <Permissions />}
            {drawAll(groups.get(name) ?? [])}
          </Fold>
        ));
      }}
    </Preferences>,
    <About />,
  ];
}
