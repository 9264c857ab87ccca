const list = `a an the of in to for with by on at as and or but is are was were be been do does did have has had i me my mine we us our you your yours he she
  it its they them their this that these those there here please pls plz kindly just so then than too also very really some any such from into onto about
  can could would will shall may might must should want like need let lets mind us one out up off over go ahead hey hi ok okay now via per if many much what's whats`;

/** Words that say nothing about which tool is meant. */
export const stopWords: ReadonlySet<string> = new Set(list.split(/\s+/));
