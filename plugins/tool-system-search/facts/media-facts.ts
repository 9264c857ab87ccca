import { parseFromTokenizer, type IAudioMetadata } from "music-metadata";
import type { FactsReader, OpenFile, RawFacts } from "./facts.ts";
import { FileTokenizer } from "./file-tokenizer.ts";
import { mp4Header } from "./mp4-header.ts";

/** What the picture is like, where the format's header is simple to find. */
function pictureFacts(file: OpenFile, format: IAudioMetadata["format"] | undefined): RawFacts {
  if (/\.(mp4|m4v|mov)$/i.test(file.name)) return { ...mp4Header(file) };
  const video = format?.trackInfo?.find((track) => track.video !== undefined)?.video;
  return { width: video?.pixelWidth, height: video?.pixelHeight };
}

/**
 * Tags (ID3, Vorbis comments, iTunes, Matroska …), duration as the header has it, and what the sound and the
 * picture are like.
 */
export const mediaFacts: FactsReader = async (file) => {
  // Films in fragments and other rare forms are beyond the parser; their header is not.
  const metadata = await parseFromTokenizer(new FileTokenizer(file), {
    duration: false,
    skipCovers: true,
  }).catch(() => undefined);
  return { facts: { ...(metadata && tagsOf(metadata)), ...pictureFacts(file, metadata?.format) } };
};

const tagsOf = ({ common, format }: IAudioMetadata): RawFacts => ({
  title: common.title,
  artist: common.artist ?? common.artists,
  album: common.album,
  composer: common.composer,
  genre: common.genre,
  year: common.year,
  track: common.track.no,
  comment: common.comment?.flatMap(({ text }) => text ?? []),
  duration: format.duration,
  bitrate: format.bitrate,
  sample_rate: format.sampleRate,
  channels: format.numberOfChannels,
  codec: format.codec,
});
