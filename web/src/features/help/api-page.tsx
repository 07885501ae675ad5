import { type Content, describeApi, type Operation } from '@ridewatch/contract/api-description';
import { useMemo, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { Waiting } from '../../page/waiting.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { type Call, callsOf, findCalls } from './calls.ts';
import styles from './help-screen.module.css';
import { shapeOf } from './shape.ts';
import { useHelpText } from './use-help-text.ts';
import { useQuery } from './use-query.ts';

const callers = {
  ofUsers: ({ security, 'x-role': role }: Operation) =>
    security?.[0]?.user !== undefined && role === undefined,
  ofAdmins: ({ 'x-role': role }: Operation) => role === 'ADMIN',
  ofUnits: ({ security }: Operation) => security?.[0]?.unit !== undefined,
  ofAll: ({ security }: Operation) => security === undefined,
} as const;
/** The errors that any call may answer, said once. */
const anyAnswers: Readonly<Record<string, string>> = {
  408: 'request_timeout',
  431: 'headers_too_large',
  503: 'unavailable',
};
const groups = ['ofUsers', 'ofAdmins', 'ofUnits', 'ofAll'] as const;

/** The description of the API, with a search over its calls. */
export function ApiPage() {
  const text = useHelpText();
  const [query, setQuery] = useQuery();
  const answer = useEndpoint(describeApi, {}, { staleTime: Number.POSITIVE_INFINITY });
  const calls = useMemo(() => (answer.data ? callsOf(answer.data) : []), [answer.data]);
  const found = findCalls(calls, query);
  // They are what the calls above them refer to.
  const schemas = found.length > 0 ? Object.entries(answer.data?.components.schemas ?? {}) : [];
  const isLost = answer.isError && !answer.data;
  return (
    <div className={styles.api}>
      <h1>{text.api}</h1>
      <p>
        {text.apiText}{' '}
        {text.anyAnswers(
          Object.entries(anyAnswers)
            .map((answer) => answer.join(' '))
            .join(', '),
        )}{' '}
        <a href="/api/openapi.json">{text.apiFile}</a>
      </p>
      {!isLost && (
        <search>
          <SearchBox
            className={styles.search}
            label={text.searchApi}
            value={query}
            onChange={setQuery}
          />
        </search>
      )}
      {!answer.data && <Waiting answer={answer} failed={text.apiFailed} bodyPx={480} />}
      {answer.data && (
        <p role="status" className={styles.count}>
          {found.length === 0 ? text.none : text.calls(found.length)}
        </p>
      )}
      <div lang="en">
        {groups.map((group) => {
          const own = found.filter(({ operation }) => callers[group](operation));
          return (
            own.length > 0 && (
              <section key={group}>
                <h2>{text[group]}</h2>
                {own.map((call) => (
                  <CallPart key={`${call.method} ${call.path}`} call={call} />
                ))}
              </section>
            )
          );
        })}
        {schemas.length > 0 && <h2>{text.shapes}</h2>}
        {schemas.map(([name, schema]) => (
          <section key={name} className={styles.shape}>
            <h3 id={name}>{name}</h3>
            <Shape text={shapeOf(schema)} />
          </section>
        ))}
      </div>
    </div>
  );
}

function CallPart({ call }: { call: Call }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.call} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>
          <b>{call.method}</b>
        </code>
        <code>{call.path}</code>
        <span>{call.operation.summary}</span>
      </summary>
      {isOpen && <CallDetails operation={call.operation} />}
    </details>
  );
}

function CallDetails({ operation }: { operation: Operation }) {
  const text = useHelpText();
  const { parameters, requestBody, responses } = operation;
  const answers = Object.entries(responses);
  // All successes have one schema: show it once.
  const [good, ...others] = answers.filter(([status]) => /^[23]/.test(status));
  const refusals = [...others, ...answers.filter(([status]) => /^[45]/.test(status))].filter(
    ([status, { description }]) => anyAnswers[status] !== description,
  );
  const scope = operation['x-scope'];
  return (
    <>
      {scope !== undefined && (
        <p>
          {text.scope}: <code>{scope}</code>
        </p>
      )}
      {parameters.length > 0 && <h3>{text.parameters}</h3>}
      <dl>
        {parameters.map(({ name, required, schema, description, ...parameter }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              {parameter.in}
              {!required && `, ${text.optional}`}: <code>{shapeOf(schema)}</code> {description}
            </dd>
          </div>
        ))}
      </dl>
      {requestBody && <h3>{text.body}</h3>}
      {requestBody && <ContentPart content={requestBody} />}
      {good && (
        <h3>
          {text.answer} {good[0]}
        </h3>
      )}
      {good && <ContentPart content={good[1]} />}
      {refusals.length > 0 && <h3>{text.refusals}</h3>}
      <dl>
        {refusals.map(([status, { description }]) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function ContentPart({ content: { content, description } }: { content: Content }) {
  const forms = Object.entries(content ?? {});
  return (
    <>
      {description !== undefined && description !== 'Success' && <p>{description}</p>}
      {forms.map(([type, { schema }]) => (
        <div key={type}>
          <code>{type}</code>
          {schema && <Shape text={shapeOf(schema)} />}
        </div>
      ))}
    </>
  );
}

function Shape({ text }: { text: string }) {
  const parts = text
    .split(/#(\w+)/)
    .map((part, place) => ({ part, place, isName: place % 2 === 1 }));
  return (
    <pre>
      {parts.map(({ part, place, isName }) =>
        isName ? (
          <a key={place} href={`#${part}`}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </pre>
  );
}
