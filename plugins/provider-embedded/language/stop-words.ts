import { words } from "./words.ts";

/** Words that say nothing about which tool is meant. */
export const stopWords: ReadonlySet<string> = words(
  "a an the of in to for with by on at as and or but per via if so then than too also very really some any such",
  "from into onto about out up off over",
  "is are was were be been do does did have has had can could would will shall may might must should want like need let lets",
  "i me my mine we us our you your yours he she it its they them their one this that these those there here",
  "please pls plz kindly just now go ahead hey hi ok okay mind many much what's whats",
);
