import { homedir } from "node:os";
import type { ConfigEntry } from "./config.ts";

export type Environment = Readonly<Record<string, string>>;
export type Settings = readonly (readonly [key: string, value: string])[];

/**
 * In force for every command: nothing asks, pages, edits or stays behind, texts are UTF-8, submodules are
 * left alone.
 */
const always: Settings = [
  ["advice.detachedHead", "false"],
  ["color.ui", "false"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["core.quotePath", "false"],
  ["diff.autoRefreshIndex", "false"],
  ["diff.ignoreSubmodules", "dirty"],
  ["diff.submodule", "short"],
  ["fetch.recurseSubmodules", "false"],
  ["gc.auto", "0"],
  ["i18n.commitEncoding", "UTF-8"],
  ["i18n.logOutputEncoding", "UTF-8"],
  ["maintenance.auto", "false"],
  ["push.recurseSubmodules", "no"],
  ["safe.bareRepository", "explicit"],
  ["status.submoduleSummary", "false"],
  ["submodule.recurse", "false"],
  ["user.useConfigOnly", "true"],
];

/** What a repository's own configuration could make run, or change in a command's meaning. */
const untrusted: Settings = [
  ["commit.gpgSign", "false"],
  ["commit.verbose", "false"],
  ["core.alternateRefsCommand", "true"],
  ["core.hooksPath", "/dev/null"],
  ["core.sshCommand", "false"],
  ["credential.helper", ""],
  ["diff.external", ""],
  ["gpg.openpgp.program", "false"],
  ["gpg.program", "false"],
  ["gpg.ssh.defaultKeyCommand", "false"],
  ["gpg.ssh.program", "false"],
  ["gpg.x509.program", "false"],
  ["http.followRedirects", "initial"],
  ["log.follow", "false"],
  ["log.showSignature", "false"],
  ["merge.autoStash", "false"],
  ["merge.verifySignatures", "false"],
  ["protocol.allow", "never"],
  ["push.gpgSign", "false"],
  ["rebase.autoSquash", "false"],
  ["rebase.autoStash", "false"],
  ["rebase.rebaseMerges", "false"],
  ["rebase.stat", "false"],
  ["rebase.updateRefs", "false"],
  ["tag.forceSignAnnotated", "false"],
  ["tag.gpgSign", "false"],
];

/** The same for keys with a free part in their name: each that the repository sets is set again, to this. */
const byPattern: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/^filter\..*\.(clean|smudge|process)$/s, ""],
  [/^filter\..*\.required$/s, "false"],
  [/^merge\..*\.driver$/s, "git merge-file --marker-size=%L %A %O %B"],
  [/^branch\..*\.mergeoptions$/s, ""],
  [/^credential\.(.*\.)?helper$/s, ""],
  [/^http\.(.*\.)?cookiefile$/s, ""],
  [/^http\.(.*\.)?curloptresolve$/s, ""],
  [/^http\.(.*\.)?extraheader$/s, ""],
  [/^http\.(.*\.)?followredirects$/s, "initial"],
  [/^http\.proxy$/s, ""],
  [/^http\.(.*\.)?savecookies$/s, "false"],
  [/^http\.(.*\.)?sslverify$/s, "true"],
];

/** What of `http.*` a repository may decide for itself: pace and protocol, not with whom git speaks. */
const harmlessHttp = /^http\.(.*\.)?(postbuffer|lowspeedlimit|lowspeedtime|version)$/s;

/**
 * What decides with whom git speaks, or with which keys, and cannot be set to a harmless value: certificates,
 * other addresses for a remote's.
 */
const decidesPeer = /^(http\..+|remote\..*\.proxy|url\..*\.(push)?insteadof)$/s;

/**
 * What of a person's own configuration holds for them in every repository; what runs programs there is the
 * credential helper only.
 */
const personal =
  /^(user\.(name|email)|safe\.directory|core\.(autocrlf|eol|excludesfile)|credential\.(.*\.)?(helper|username|usehttppath)|url\..*\.(push)?insteadof|http\.(.*\.)?(proxy|sslcainfo|sslcapath))$/s;
const namesFile = /^(core\.excludesfile|http\.(.*\.)?(sslcainfo|sslcapath))$/s;
const oneValue = /^(user|core)\./;

const own = (scope: string): boolean => scope === "system" || scope === "global";

/**
 * The person's own settings that a command may use; those with one value only where the repository has none.
 */
export function personalSettings(config: readonly ConfigEntry[], local: readonly ConfigEntry[]): Settings {
  const isSet = new Set(local.map(({ key }) => key));
  const allowed = config.filter(
    ({ scope, key }) => own(scope) && personal.test(key) && !(oneValue.test(key) && isSet.has(key)),
  );
  return allowed.map(({ key, value }) => [key, atHome(key, value)]);
}

/** A command may have another home, in a sandbox. */
const atHome = (key: string, value: string): string =>
  namesFile.test(key) ? value.replace(/^~(?=\/)/, homedir()) : value;

/** What takes the danger out of a repository's configuration. */
export function neutralSettings(local: readonly ConfigEntry[]): Settings {
  return local.flatMap(({ key }) =>
    byPattern.filter(([pattern]) => pattern.test(key)).map(([, value]) => [key, value] as const),
  );
}

/**
 * The keys of a repository's own configuration for which a command that talks to a remote must not run: they
 * could lead a person's password to somebody else, and nothing takes their place.
 */
export function redirectingKeys(local: readonly ConfigEntry[]): readonly string[] {
  const isNeutral = (key: string): boolean => byPattern.some(([pattern]) => pattern.test(key));
  const keys = local.map(({ key }) => key).filter((key) => decidesPeer.test(key) && !harmlessHttp.test(key));
  return [...new Set(keys.filter((key) => !isNeutral(key)))];
}

/**
 * An environment with settings that come after its own and win. git takes them over any file. A key is never
 * part of an option: in `-c key=value` a key that holds `=` would end too early and stay in force.
 */
export function addSettings(environment: Environment, settings: Settings): Environment {
  const first = Number(environment["GIT_CONFIG_COUNT"] ?? 0);
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return {
    ...environment,
    ...(Object.fromEntries(pairs) as Record<string, string>),
    GIT_CONFIG_COUNT: String(first + settings.length),
  };
}

/** For every command: messages in English, nobody is asked for anything, missing objects are not fetched. */
const plainEnvironment = {
  GIT_ASKPASS: "",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_EDITOR: "true",
  GIT_MERGE_AUTOEDIT: "no",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_SSH_COMMAND: "false",
  GIT_SSH_VARIANT: "ssh",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C.UTF-8",
  SSH_ASKPASS: "",
} as const;

/** What a command that talks to a remote needs on top: https, ssh without prompts, local paths. */
export const remoteEnvironment: Environment = {
  GIT_ALLOW_PROTOCOL: "https:ssh:file",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
};

/** For commands in repositories that nobody vouches for. `more` comes last and wins. */
export const hardenedEnvironment = (more: Settings = []): Environment => ({
  ...plainEnvironment,
  GIT_ALLOW_PROTOCOL: "none",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  ...addSettings({}, [...always, ...untrusted, ...more]),
});

/**
 * For a commit that the person let run the repository's hooks and filters; still nothing asks, pages or
 * edits.
 */
export const trustedEnvironment = (more: Settings = []): Environment => ({
  ...plainEnvironment,
  ...remoteEnvironment,
  ...addSettings({}, [...always, ...more]),
});
