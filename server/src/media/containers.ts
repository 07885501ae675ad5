/** A container format: its media type and file extension. */
interface Container {
  readonly mediaType: string;
  readonly extension: string;
}

/** The containers that units may send, by the name under which the file is stored. */
const containers = {
  mp4: { mediaType: 'video/mp4', extension: 'mp4' },
  mov: { mediaType: 'video/quicktime', extension: 'mov' },
  matroska: { mediaType: 'video/matroska', extension: 'mkv' },
  webm: { mediaType: 'video/webm', extension: 'webm' },
  mpegts: { mediaType: 'video/mp2t', extension: 'ts' },
  mpeg: { mediaType: 'video/mpeg', extension: 'mpg' },
  avi: { mediaType: 'video/x-msvideo', extension: 'avi' },
  flv: { mediaType: 'video/x-flv', extension: 'flv' },
  h264: { mediaType: 'video/h264', extension: 'h264' },
  hevc: { mediaType: 'video/h265', extension: 'h265' },
} satisfies Record<string, Container>;

export type ContainerName = keyof typeof containers;

/**
 * The container format by ffprobe's name.
 * @param formatName the demuxer's name, for instance `mov,mp4,m4a,3gp,3g2,mj2`
 * @param kind the file's own kind: the major brand of an ISO file, the document type of an EBML file
 * @returns undefined for a format that is refused
 */
export function containerOf(formatName: string, kind = ''): ContainerName | undefined {
  const names = formatName.split(',');
  if (names.includes('mp4')) return kind.trim() === 'qt' ? 'mov' : 'mp4';
  if (names.includes('matroska')) return kind === 'webm' ? 'webm' : 'matroska';
  return (Object.keys(containers) as ContainerName[]).find((name) => names.includes(name));
}

/** Whether its time begins at 0 and nothing before is shown; clocks of other formats start anywhere. */
export function beginsAtZero(container: ContainerName): boolean {
  return !['mpegts', 'mpeg', 'h264', 'hevc'].includes(container);
}

/** Media type and extension of a stored file; files stored before the format was recorded are MP4. */
export function containerNamed(name: string | null): Container {
  if (name === 'jpeg') return { mediaType: 'image/jpeg', extension: 'jpg' };
  const known = (Object.keys(containers) as ContainerName[]).find((one) => one === name);
  return containers[known ?? 'mp4'];
}
