import type { MergeTexts } from './texts-ru.ts';

export const en: MergeTexts = {
  title: 'Merge video',
  intro: 'All fragments of a camera in a period become one file.',
  camera: 'Camera',
  from: 'Start',
  to: 'End',
  limits: (from, to) => `Video of this day: ${from} – ${to}`,
  fragments: (withVideo, all) =>
    `${withVideo} of ${all} ${all === 1 ? 'fragment' : 'fragments'} of the period will be in it.`,
  frames: ({ size, scaled }) =>
    scaled === 0
      ? `Frame size: ${size.width}×${size.height}.`
      : `Frame size: ${size.width}×${size.height}, the largest of them. ${scaled} ${scaled === 1 ? 'fragment' : 'fragments'} of another size will be scaled to it: that takes longer.`,
  truncated: (count) =>
    `The video of ${count} ${count === 1 ? 'fragment' : 'fragments'} ends early: the missing part will be missing in the merged file, too.`,
  missing: 'The others are still on the registrar: their video must be fetched first.',
  allMissing: 'The video of this period is still on the registrar: it must be fetched first.',
  fetchMissing: 'Fetch the others',
  fetchAll: 'Fetch the video',
  fetching: (count) =>
    `${count} ${count === 1 ? 'fragment is' : 'fragments are'} on the way. Merge them when they are here.`,
  submit: 'Merge',
  notSent: 'No connection to the server: nothing was sent. Press “Merge” again when it is back.',
  tooMany: (most) => `${most} merges are not finished. Wait for one of them, or cancel it.`,
  accepted: 'The merge has begun. Notifications show how far it is.',
  noFragments: 'This camera has no fragments on the chosen day.',
  problems: {
    from_early: 'Before the first fragment',
    from_late: 'The start must be before the end',
    to_early: 'The end must be after the start',
    to_late: 'After the last fragment',
    unreadable: 'Type a time',
    no_video: 'There is no video of this period on the server.',
  },
  statuses: { PROCESS: 'merging', FAILED: 'failed', COMPLETE: 'ready', SENT: 'downloaded' },
  failures: {
    cancelled: 'Cancelled',
    no_video: 'No video of this period is left on the server',
    no_space: 'The server is out of disk space',
    failed: 'The files could not be merged',
  },
  again: 'Try again',
  cancel: 'Cancel the merge',
  download: 'Download',
  downloading: (percent) => `Downloading: ${percent} %`,
  stop: 'Stop the download',
  downloadFailed: 'The download failed.',
  gone: 'This file is no longer kept. The merge can be requested again.',
  details: 'About the file',
  sheet: 'Download these facts',
  about: {
    heading: 'About the video file',
    bus: 'Bus',
    camera: 'Camera',
    zone: 'Time zone',
    period: 'Period',
    utc: 'Period (UTC)',
    fragments: 'Fragments',
    duration: 'Duration',
    size: 'Size, bytes',
    file: 'File',
    created: 'Requested',
  },
  kept: (until) => `until ${until}`,
  megabytes: 'MB',
};
