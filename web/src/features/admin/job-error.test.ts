import { describe, expect, it } from 'vitest';
import { jobErrorText } from './job-error.ts';
import { en } from './texts-en.ts';

describe('the error of a job', () => {
  it.each([
    ['ffmpeg exceeded its timeout of 60000 ms.', 'it was not done in time'],
    ['ffprobe found no frames', 'the video could not be processed'],
    ['spawn /usr/bin/ffmpeg ENOENT', 'the video could not be processed'],
    ['ENOSPC: no space left on device, write', 'the disk is full'],
    ['connect ECONNREFUSED 127.0.0.1:25', 'another server did not answer, or refused'],
    ['the answer was 503', 'another server did not answer, or refused'],
    ['deadlock detected', 'another job was in its way'],
    ['terminating connection due to administrator command', 'the database was not available'],
    ['The store returned no body for a/b.mp4.', 'the file store refused'],
    [
      'The store refused the access key (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY).',
      'the file store refused: the access key is wrong or lacks a right',
    ],
    [
      'The store does not allow it: the access key lacks a right in the bucket media.',
      'the file store refused: the access key is wrong or lacks a right',
    ],
    ['The store has no bucket media (S3_BUCKET).', 'the file store has no such bucket'],
    ['The store is full.', 'the file store is full'],
    ['The store cannot be reached (S3_ENDPOINT): ECONNREFUSED', 'the file store did not answer'],
    ['The store does not answer for now: it failed with 503.', 'the file store did not answer'],
    [
      "ENOENT: no such file or directory, open '/x'",
      'a file is missing, or shorter than it should be',
    ],
    ["Cannot read properties of undefined (reading 'id')", 'a fault of the program'],
  ])('is said in words: %s', (error, words) => {
    expect(jobErrorText(error, en)).toBe(words);
  });
});
