import type { Fragment } from '@ridewatch/contract/fragments';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { fragment } from '../test/made.ts';
import { AttentionMark, StateTag } from './state-tag.tsx';
import { en } from './texts-en.ts';
import { loadReasons } from './use-reason-text.ts';

// The language is in local storage, which this environment does not have.
vi.mock('./use-fragment-text.ts', () => ({ useFragmentText: () => en }));
vi.mock('../i18n/language.ts', () => ({ useLanguage: () => 'en_US' }));

function kindOf(status: Fragment['status'], isCameraOffline: boolean): string | undefined {
  const fragment = { status, fail_reason: null, progress: null } as Fragment;
  const drawn = renderToStaticMarkup(
    <StateTag fragment={fragment} isCameraOffline={isCameraOffline} />,
  );
  return /data-kind="(\w+)"/.exec(drawn)?.[1];
}

describe('the tag of a fragment', () => {
  it('is neutral under way, green when done and red when the video could not be had', () => {
    expect(kindOf('LOADING', false)).toBe('neutral');
    expect(kindOf('ADDED', false)).toBe('neutral');
    expect(kindOf('PROCESSED', false)).toBe('success');
    expect(kindOf('LIVE', false)).toBe('neutral');
    expect(kindOf('DOWNLOAD_FAIL', false)).toBe('error');
  });

  it('says when and why the video was deleted', () => {
    const fragment = {
      status: 'PROCESSED',
      fail_reason: null,
      progress: null,
      video: null,
      video_deleted_at: '2026-11-21T01:17:00Z',
      video_deleted_for: 'space',
    } as Fragment;
    const drawn = renderToStaticMarkup(<StateTag fragment={fragment} isCameraOffline={false} />);
    expect(drawn).toContain('>deleted<');
    expect(drawn).toContain('data-kind="neutral"');
    expect(drawn).toContain('The video was deleted on 21.11.2026: the disk was full.');
  });

  it('says that it could not be fetched again, once it was deleted', async () => {
    await loadReasons();
    const fragment = {
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'unit_failed',
      fail_detail: 'the disk of the unit is broken',
      progress: null,
      video: null,
      video_deleted_at: '2026-11-21T01:17:00Z',
      video_deleted_for: 'age',
    } as Fragment;
    const drawn = renderToStaticMarkup(<StateTag fragment={fragment} isCameraOffline={false} />);
    expect(drawn).toContain('>failed<');
    expect(drawn).toContain('data-kind="error"');
    expect(drawn).toContain('the disk of the unit is broken');
  });

  it.each(['LIVE', 'LOADING', 'PROCESSED', 'WAS_MERGED'] as const)(
    'is red for %s when the camera is offline',
    (status) => expect(kindOf(status, true)).toBe('error'),
  );
});

describe('the tag of a fragment whose camera is offline', () => {
  const drawn = (status: Fragment['status'], isCameraOffline: boolean): string =>
    renderToStaticMarkup(
      <StateTag
        fragment={{ status, fail_reason: null, progress: null } as Fragment}
        isCameraOffline={isCameraOffline}
      />,
    );

  it('keeps its own word, and says beside it that the camera is offline', () => {
    expect(drawn('PROCESSED', true)).toMatch(/>ready<.*>camera offline</);
    expect(drawn('PROCESSED', false)).not.toContain('camera offline');
  });

  it('says so of a failed one, too', () => {
    expect(drawn('DOWNLOAD_FAIL', true)).toMatch(/>failed<.*>camera offline</);
  });
});

describe('the tag of a fragment on its way', () => {
  const saying = (more: Partial<Fragment>): string =>
    renderToStaticMarkup(
      <StateTag fragment={{ ...fragment(1, '08:00'), ...more }} isCameraOffline={false} />,
    );

  it('says how much of it is here', () => {
    expect(saying({ status: 'LOADING', progress: 45 })).toMatch(/>loading 45\s%</);
    expect(saying({ status: 'PROCESSING', progress: 7 })).toMatch(/>counting 7\s%</);
  });

  it('says where its upload stopped', () => {
    expect(saying({ status: 'LOADING', progress: 99, stopped: true })).toMatch(
      />stopped at 99\s%</,
    );
  });

  it('says that an attempt failed and when the next one is, and why where there is room', async () => {
    await loadReasons();
    const failed = { status: 'LOADING', fail_reason: 'not_a_video' } as const;
    const saying = (more: Partial<Fragment>, saysWhy = false): string =>
      renderToStaticMarkup(
        <StateTag
          fragment={{ ...fragment(1, '08:00'), ...failed, ...more }}
          isCameraOffline={false}
          zone="Europe/Moscow"
          saysWhy={saysWhy}
        />,
      );
    const later = { next_try_at: '2026-11-20T12:05:00Z' };
    expect(saying(later)).toMatch(/>attempt failed<.*>again at 15:05</);
    expect(saying(later, true)).toContain('>again at 15:05: The registrar sent no video');
    expect(saying({})).toMatch(/>attempt failed<.*>asked again</);
    expect(saying({ progress: 45 })).toMatch(/>loading 45\s%<.*>asked again</);
    const stopped = { progress: 99, stopped: true, fail_reason: 'upload_stopped' } as const;
    expect(saying(stopped)).not.toContain('asked again');
  });

  it('says of an upload that stopped before anything came that it stopped at the start', () => {
    expect(saying({ status: 'LOADING', progress: 0, stopped: true })).toContain(
      '>stopped at the start<',
    );
  });
});

describe('the tag of a video that breaks off', () => {
  const shown = (shown_ms: number, of_ms: number): string => {
    const { video, ...rest } = fragment(1, '08:00');
    const cut = { ...rest, video: video && { ...video, truncated: { shown_ms, of_ms } } };
    return renderToStaticMarkup(<StateTag fragment={cut} isCameraOffline={false} />);
  };

  it('says beside the state how many seconds of how many there are', () => {
    expect(shown(14_240, 30_000)).toMatch(/>ready<.*>14 of 30\ss</);
  });

  it('rounds as people do, but never to the whole', () => {
    expect(shown(13_840, 30_000)).toMatch(/>14 of 30\ss</);
    expect(shown(14_490, 30_000)).toMatch(/>14 of 30\ss</);
    expect(shown(1_700, 3_400)).toMatch(/>2 of 3\ss</);
    expect(shown(900, 2_480)).toMatch(/>1 of 2\ss</);
    expect(shown(1_600, 2_400)).toMatch(/>1 of 2\ss</);
  });

  it('counts a long one in minutes', () => {
    expect(shown(62_000, 150_000)).toContain('>1:02 of 2:30<');
    expect(shown(61_700, 149_600)).toContain('>1:02 of 2:30<');
  });
});

describe('the attention mark', () => {
  it('stands at more than four people in view', () => {
    expect(renderToStaticMarkup(<AttentionMark people={4} />)).toBe('');
    expect(renderToStaticMarkup(<AttentionMark people={5} />)).toContain('attention');
  });
});
