import { Fragment } from 'react';
import styles from './edit-form.module.css';
import { Field } from './fields.tsx';
import type { FormField, FormValue, Values } from './form-values.ts';

interface FormFieldsProps {
  fields: readonly FormField[];
  values: Values;
  problems: Readonly<Record<string, string>>;
  today: string;
  onChange: (key: string, value: FormValue) => void;
}

/** The fields of a form; those that belong together are under one heading. */
export function FormFields(props: FormFieldsProps) {
  return groupsOf(props.fields).map(({ heading, fields }) =>
    heading === undefined ? (
      <Plain key={fields[0]?.key} {...props} fields={fields} />
    ) : (
      <fieldset key={heading} className={styles.group}>
        <legend>{heading}</legend>
        <Plain {...props} fields={fields} />
      </fieldset>
    ),
  );
}

function Plain({ fields, values, problems, today, onChange }: FormFieldsProps) {
  return fields.map((field) => {
    const value = values[field.key] ?? '';
    return (
      <Fragment key={field.key}>
        <Field
          {...{ field, today, value }}
          problem={problems[field.key]}
          onChange={(next) => onChange(field.key, next)}
        />
        {field.note?.(value, values)}
      </Fragment>
    );
  });
}

interface Group {
  readonly heading: string | undefined;
  readonly fields: FormField[];
}

function groupsOf(fields: readonly FormField[]): readonly Group[] {
  const groups: Group[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last && last.heading === field.group) last.fields.push(field);
    else groups.push({ heading: field.group, fields: [field] });
  }
  return groups;
}
