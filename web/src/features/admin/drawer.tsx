import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { useAddress } from '../../page/use-address.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CloseIcon, drawn } from '../../ui/icons.tsx';
import { useLock } from '../../ui/use-lock.ts';
import type { AdminAddress } from './address.ts';
import styles from './drawer.module.css';
import { Facts, factsOf } from './drawer-part.tsx';
import { EditForm } from './edit-form.tsx';
import { ALL } from './filters-bar.tsx';
import type { Values } from './form-values.ts';
import { isGone } from './is-gone.ts';
import { isJustMade, noteMade } from './just-made.ts';
import type { AdminContext, Section } from './section.ts';
import { useAdminText } from './use-admin-text.ts';
import { useDrawerFocus } from './use-drawer-focus.ts';
import { ADMIN_KEY, ROWS_EVERY_MS, type Rows, readListsAgain, rowKey } from './use-rows.ts';

const UpIcon = drawn('M6 15l6-6 6 6');
const NextIcon = drawn('M6 9l6 6 6-6');

interface DrawerProps<Row extends { readonly id: number }> {
  section: Section<Row>;
  context: AdminContext;
  rows: Rows<Row>;
  /** The row's id, or `new`. */
  id: string;
}

/** The drawer of one row, beside the table: what it is, its form, the row before and after it. */
export function Drawer<Row extends { readonly id: number }>(props: DrawerProps<Row>) {
  const { section, context, id } = props;
  if (id === 'new' && section.create) return <NewRow {...props} />;
  return <ShownRow key={`${section.name} ${id}`} {...{ section, context }} {...props} />;
}

function useOpen(name: string) {
  const navigate = useNavigate();
  return (id?: number) =>
    void navigate({
      to: '/admin/{-$section}/{-$id}',
      params: { section: name, id: id === undefined ? undefined : `${id}` },
      search: (search) => search,
      resetScroll: false,
    });
}

function NewRow<Row extends { readonly id: number }>({ section, context }: DrawerProps<Row>) {
  const text = useAdminText();
  const open = useOpen(section.name);
  const form = section.create?.(context);
  const { name } = section;
  const proposed = useProposed(section, true);
  return (
    <Frame
      id="new"
      name={name}
      title={name in text.add ? text.add[name as keyof typeof text.add] : ''}
    >
      {form && proposed && (
        <EditForm
          form={{ ...form, values: { ...form.values, ...proposed } }}
          today={context.today}
          label={text.create}
          isNew
          onSaved={(id) => {
            noteMade(name, id);
            open(id);
          }}
          onCancel={() => open()}
        />
      )}
    </Frame>
  );
}

/** The values that a section proposes; undefined until known. */
function useProposed<Row extends { readonly id: number }>(
  { name, proposed }: Section<Row>,
  isWanted: boolean,
): Values | undefined {
  const isAsked = isWanted && proposed !== undefined;
  const { data, isPending } = useQuery({
    queryKey: [ADMIN_KEY, name, 'proposed'],
    queryFn: ({ signal }) => proposed?.(signal) ?? {},
    enabled: isAsked,
    // A value that was proposed before may be taken by now.
    gcTime: 0,
    retry: false,
  });
  return isAsked && isPending ? undefined : (data ?? {});
}

/** The sections whose rows are steps of a new installation. */
const STEPS: readonly AdminSection[] = ['customers', 'buses', 'units', 'cameras'];
const NextStep = lazyComponent(
  async () => (await import('../home/first-steps/next-step.tsx')).NextStep,
);

/** The audit log's names for the rows of sections. */
const objectTypes: Readonly<Partial<Record<AdminSection, string>>> = {
  ...{ customers: 'client', users: 'user', buses: 'workplace', units: 'unit', cameras: 'camera' },
  ...{ groups: 'route_group', classifiers: 'stop_classifier', news: 'news', messages: 'message' },
  upstreams: 'upstream',
};

function ShownRow<Row extends { readonly id: number }>({
  section,
  context,
  rows,
  id,
}: DrawerProps<Row>) {
  const text = useAdminText();
  const { save } = useText().common;
  const { search, note } = useAddress<AdminAddress>();
  const locked = useLock();
  const isToFinish = search.edit === id;
  const [isEditing, setEditing] = useState(isToFinish);
  const proposed = useProposed(section, isToFinish);
  const [wasEditing, setWasEditing] = useState(false);
  const closeForm = () => {
    setEditing(false);
    setWasEditing(true);
    if (isToFinish) note({ edit: undefined });
  };
  const at = rows.indexOf(Number(id));
  const answer = useQuery({
    queryKey: rowKey(section.name, Number(id)),
    queryFn: ({ signal }) => section.find(Number(id), signal),
    enabled: /^[1-9]\d{0,15}$/.test(id),
    refetchInterval: ({ state }) => !isGone(state.error) && ROWS_EVERY_MS,
  });
  // Somebody may have deleted it since it was read, here or in the list.
  const isDeleted = isGone(answer.error);
  const isStillListed = isDeleted && at >= 0;
  useEffect(() => {
    if (isStillListed) void readListsAgain();
  }, [isStillListed]);
  // The list knows the row already.
  const listed = isDeleted || at < 0 ? undefined : rows.rowAt(at);
  // A row that was open stays: somebody may want to copy what they typed in one of its forms.
  const row = answer.data ?? listed;
  const { before, after } =
    at < 0
      ? { before: undefined, after: undefined }
      : { before: rows.rowAt(at - 1), after: rows.rowAt(at + 1) };
  const tools = <Beside {...{ section, before, after }} />;
  const gone = section.gone?.(text) ?? { title: text.goneTitle, text: text.goneText };
  if (row === undefined) {
    const isNone = isDeleted || (!answer.isLoading && answer.error === null);
    return (
      <Frame id={id} name={section.name} title={isNone ? gone.title : ''} tools={tools}>
        {isNone ? (
          <p role="alert">{gone.text}</p>
        ) : (
          <FailedRead answer={answer} what={text.sections[section.name]} />
        )}
      </Frame>
    );
  }
  const { Actions, Parts } = section;
  const objectType = objectTypes[section.name];
  const form = section.edit?.(row, context);
  const hasNext =
    context.user.role === 'ADMIN' &&
    STEPS.includes(section.name) &&
    isJustMade(section.name, row.id);
  const isForm = isEditing && form !== undefined;
  const foot = !isForm && (form || Actions) && (
    <>
      {Actions && <Actions row={row} />}
      {form && (
        <Button
          kind="primary"
          locked={locked}
          autoFocus={wasEditing}
          onClick={() => setEditing(true)}
        >
          {text.edit}
        </Button>
      )}
    </>
  );
  const title = section.titleOf(row, context);
  return (
    <Frame id={id} name={section.name} {...{ title, tools, foot }}>
      {isDeleted && (
        <p role="alert" className={styles.gone}>
          {gone.title}. {gone.text}
        </p>
      )}
      {isForm ? (
        proposed && (
          <EditForm
            {...{ form, isToFinish, ...((section.isProposedTo?.(row) ?? true) && { proposed }) }}
            today={context.today}
            label={save}
            onSaved={closeForm}
            onCancel={closeForm}
          />
        )
      ) : (
        <>
          {hasNext && <NextStep />}
          <Facts facts={factsOf(section.properties(context), row)} />
        </>
      )}
      {/* Hidden behind the form, they keep all that is typed in them. */}
      {Parts && !(isForm && isToFinish) && (
        <div className={styles.parts} hidden={isForm}>
          <Parts {...{ row, context }} />
        </div>
      )}
      {!isForm && context.user.role === 'ADMIN' && objectType !== undefined && (
        <Link
          to="/admin/{-$section}/{-$id}"
          params={{ section: 'audit', id: undefined }}
          search={{ kind: ALL, object: objectType, id: `${row.id}` }}
          className={styles.more}
        >
          {text.audit.all}
        </Link>
      )}
    </Frame>
  );
}

interface BesideProps<Row extends { readonly id: number }> {
  section: Section<Row>;
  before: Row | undefined;
  after: Row | undefined;
}

function Beside<Row extends { readonly id: number }>({ section, before, after }: BesideProps<Row>) {
  const text = useAdminText();
  const open = useOpen(section.name);
  return (
    <>
      <IconButton
        label={text.previous}
        disabled={before === undefined}
        onClick={() => open(before?.id)}
      >
        <UpIcon />
      </IconButton>
      <IconButton label={text.next} disabled={after === undefined} onClick={() => open(after?.id)}>
        <NextIcon />
      </IconButton>
    </>
  );
}

interface FrameProps {
  /** The row's id, or `new`. */
  id: string;
  name: Section<never>['name'];
  title: string;
  tools?: ReactNode;
  /** The row's actions, below what scrolls. */
  foot?: ReactNode;
  children: ReactNode;
}

function Frame({ id, name, title, tools, foot, children }: FrameProps) {
  const text = useAdminText();
  const { close } = useText().common;
  const open = useOpen(name);
  // On phones the drawer is the page.
  const Title = useIsPhone() ? 'h1' : 'h2';
  const heading = useDrawerFocus(id, () => open());
  return (
    <aside className={styles.drawer} aria-label={title || text.sections[name]} data-drawer>
      <header className={styles.head}>
        <Title ref={heading} tabIndex={-1} title={title}>
          {title}
        </Title>
        {tools}
        <IconButton label={close} onClick={() => open()}>
          <CloseIcon />
        </IconButton>
      </header>
      <div className={styles.body}>{children}</div>
      {foot && <footer className={styles.foot}>{foot}</footer>}
    </aside>
  );
}
