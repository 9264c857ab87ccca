import { describeStorage, temporaryFolder } from "@pergola/sdk/testing";
import { builtSqlite } from "./support/built-plugin.ts";

const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

describeStorage("sqlite", async () => (await builtSqlite()).open({ durability: "process" }, { dataDirectory: temporaryFolder(), log }));
