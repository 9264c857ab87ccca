import { describeStorage, temporaryFolder } from "@pergola/sdk/testing";
import { openBuilt } from "./support/open-built.ts";

describeStorage("sqlite", () => openBuilt(temporaryFolder()));
