import path from "node:path";
import { describeStorage, temporaryFolder } from "@pergola/sdk/testing";
import { openBuilt } from "./support/open-built.ts";

describeStorage("sqlite", () => openBuilt(temporaryFolder()), {
  lasting: () => {
    const folder = temporaryFolder();
    return () => openBuilt(folder);
  },
  plugin: { folder: path.resolve(import.meta.dirname, "..") },
});
