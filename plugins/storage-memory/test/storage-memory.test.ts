import { describeStorage, temporaryFolder } from "@pergola/sdk/testing";
import { memory } from "../index.ts";

const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

describeStorage("memory", () => memory.open({}, { dataDirectory: temporaryFolder(), log }));
