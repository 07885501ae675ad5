import { findNotifications } from '@ridewatch/contract/notifications';
import { cancelReport, findReport, listReports } from '@ridewatch/contract/reports';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notifications } from '../../test/made-notifications.ts';
import { openReport, report, reportPage } from '../../test/made-reports.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { noteSavedFiles } from '../../test/saved-files.ts';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
let saved: string[];
beforeEach(() => {
  server = freshServer();
  saved = noteSavedFiles();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const open = (address = '/reports') => openScreen(server, address);

describe('the list of reports', () => {
  it('says of each what it is about, how far it is, and until when it is kept', async () => {
    server.answer(
      listReports,
      reportPage([
        openReport(3, 40),
        report(2),
        report(1, {
          status: 'FAILED',
          fail_reason: 'too_large',
          download: null,
          parameters: { kind: 'test-export', from: '2026-03-01', to: '2026-03-01' },
          subjects: { total: null, names: [] },
        }),
      ]),
    );
    await open();
    const [first, second, third] = await screen.findAllByRole('listitem');
    expect(first).toHaveTextContent('Fares and salaries01.02.2026 – 28.02.2026in progress');
    expect(first).toHaveTextContent('А 7 АА · XLSX · requested 10.03.2026 10:00 Moscow time');
    expect(within(first as HTMLElement).getByRole('progressbar')).toHaveValue(40);
    expect(second).toHaveTextContent(/28\s000 rows · 1,23 MB · kept until 17\.03\.2026 10:05/);
    expect(third).toHaveTextContent('Test export01.03.2026failed');
    expect(third).toHaveTextContent('all buses');
    expect(third).toHaveTextContent('Too many rows: choose fewer days or buses');
    expect(screen.getByText('Each file says until when it is kept.')).toBeVisible();
  });

  it('names five buses of many, and how many more there are', async () => {
    const names = ['А 1 АА', 'А 2 АА', 'А 3 АА', 'А 4 АА', 'А 5 АА'];
    server.answer(listReports, reportPage([report(1, { subjects: { total: 32, names } })]));
    await open();
    expect(await screen.findByRole('listitem')).toHaveTextContent('А 5 АА and 27 more');
  });

  it('follows a report in progress by the poll of the notifications, and is read again at its end', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.answer(listReports, reportPage([openReport(3, 40)]));
    server.answer(findNotifications, notifications({ reports: [openReport(3, 40)] }));
    await open();
    await screen.findByText('40 %');
    server.answer(findNotifications, notifications({ reports: [openReport(3, 70)] }));
    await vi.advanceTimersByTimeAsync(2_000);
    await screen.findByText('70 %');
    expect(server.asked(listReports)).toHaveLength(1);
    server.answer(listReports, reportPage([report(3)]));
    server.answer(findNotifications, notifications({ reports: [report(3)] }));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await screen.findByRole('button', { name: 'Download' })).toBeVisible();
    const reads = server.asked(listReports).length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked(listReports)).toHaveLength(reads);
  });

  it('cancels a report in progress', async () => {
    server.answer(listReports, reportPage([openReport(3, 40)]));
    const cancelled = report(3, { status: 'FAILED', fail_reason: 'cancelled', download: null });
    server.answer(cancelReport, () => {
      server.answer(listReports, reportPage([cancelled]));
      return cancelled;
    });
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Cancel the report' }));
    expect(await screen.findByText('cancelled')).toBeVisible();
    expect(server.asked(cancelReport)[0]?.params).toEqual({ reportId: '3' });
  });

  it('downloads the file under an address that is valid now', async () => {
    server.answer(listReports, reportPage([report(2)]));
    server.answer(findReport, report(2, { download: '/api/reports/2/download?hash=fresh' }));
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Download' }));
    await waitFor(() =>
      expect(saved).toEqual([
        '/api/reports/2/download?hash=fresh as Fares-and-salaries_2026-02-01_2026-02-28.xlsx',
      ]),
    );
  });

  it('says of a report that has expired since that it is no longer kept', async () => {
    server.answer(listReports, reportPage([report(2)]));
    server.refuse(findReport, 'not_found');
    const { hand } = await open();
    const button = await screen.findByRole('button', { name: 'Download' });
    server.answer(listReports, reportPage([]));
    await hand.click(button);
    expect(await screen.findByText(/no longer kept/)).toBeVisible();
    expect(await screen.findByText('No reports')).toBeVisible();
    expect(saved).toEqual([]);
  });

  it('shows those of a kind and a state, which the address holds', async () => {
    server.answer(listReports, reportPage([]));
    const { hand, address } = await open('/reports?kind=bus-load');
    await hand.click(await screen.findByRole('button', { name: 'Ready' }));
    await waitFor(() => expect(address()).toMatch(/kind=bus-load&status=COMPLETE$/));
    await waitFor(() =>
      expect(server.asked(listReports).at(-1)?.query.toString()).toBe(
        'kind=bus-load&status=COMPLETE&page=0&perPage=10',
      ),
    );
    expect(await screen.findByText('No such reports')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Reset the filters' }));
    expect(await screen.findByText('No reports')).toBeVisible();
  });

  it('has pages of ten', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => report(index + 1));
    server.answer(listReports, reportPage(ten, 23));
    const { hand, address } = await open();
    expect(await screen.findByText('1–10 of 23')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Newer' })).toBeDisabled();
    await hand.click(screen.getByRole('button', { name: 'Older' }));
    await waitFor(() => expect(address()).toMatch(/page=2$/));
    expect(await screen.findByText('11–20 of 23')).toBeVisible();
  });

  it('says that it could not be loaded, and tries again', async () => {
    server.refuse(listReports, 'internal');
    const { hand } = await open();
    expect(await screen.findByRole('alert')).toHaveTextContent('could not be loaded');
    server.answer(listReports, reportPage([report(2)]));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('listitem')).toBeVisible();
  });
});
