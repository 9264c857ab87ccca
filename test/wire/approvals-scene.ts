import { calling, labCall, saying } from "../support/lab-stage.ts";

export const wiping = (name: string) => [calling(labCall("wipe", name)), saying("done")];
