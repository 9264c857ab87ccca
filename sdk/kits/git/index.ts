export { configValue, listConfig, parseConfig, type ConfigEntry } from "./config.ts";
export {
  addSettings,
  hardenedEnvironment,
  neutralSettings,
  personalSettings,
  redirectingKeys,
  remoteEnvironment,
  trustedEnvironment,
  type Environment,
  type Settings,
} from "./hardening.ts";
export { locate, resolvePlace, locateArguments, type Location, type Place } from "./locate.ts";
export { runGit, type GitAccess, type GitRun } from "./run-git.ts";
