// The focus of somebody without a mouse, where the control that had it goes.
import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepFocus } from './kept-focus.ts';

/** Frames after which it would have moved. */
const ENOUGH = 4;

let end: () => void;
beforeEach(() => {
  end = keepFocus();
});
afterEach(() => {
  end();
  document.body.innerHTML = '';
});

const show = (html: string): void => {
  document.body.innerHTML = `<div>${html}</div>`;
};
const find = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};
const focusOn = (selector: string): void => {
  fireEvent.keyDown(document.body, { key: 'Tab' });
  find(selector).focus();
};
const focused = () => document.activeElement?.id;
const frames = async (count: number) => {
  for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
};

describe('the focus of a control that goes', () => {
  it('goes on to the next one', async () => {
    show(
      '<main><div><a id="before" href="/"></a><p><button id="gone"></button></p><a id="after" href="/"></a></div></main>',
    );
    focusOn('#gone');
    find('p').remove();
    await expect.poll(focused).toBe('after');
  });

  it('goes to the last one where none comes after', async () => {
    show(
      '<main><section><a id="first" href="/"></a><a id="last" href="/"></a><p><button id="gone"></button></p></section></main>',
    );
    focusOn('#gone');
    find('p').remove();
    await expect.poll(focused).toBe('last');
  });

  it('goes to what takes its place', async () => {
    show(
      '<main><section><h2></h2><div><button id="gone"></button></div></section><a href="/"></a></main>',
    );
    focusOn('#gone');
    find('div > button').parentElement?.remove();
    find('section').insertAdjacentHTML('beforeend', '<form><input id="field"></form>');
    await expect.poll(focused).toBe('field');
  });

  it('passes over what cannot be used', async () => {
    show(
      '<main><section><button id="gone"></button><button disabled></button><p hidden><button></button></p><button id="usable"></button></section></main>',
    );
    focusOn('#gone');
    find('#gone').remove();
    await expect.poll(focused).toBe('usable');
  });

  it('goes to the screen that takes the place of another one', async () => {
    show('<nav><a href="/"></a></nav><main><div><button id="gone"></button></div></main>');
    focusOn('#gone');
    find('main').innerHTML = '<div><button></button></div>';
    await expect.poll(() => document.activeElement?.localName).toBe('main');
  });

  it('goes to the neighbour of what opened its dialog, where that is gone, too', async () => {
    show(
      '<main><div><ul><li><button id="opener"></button></li></ul><button id="add"></button></div></main>',
    );
    focusOn('#opener');
    document.body.insertAdjacentHTML(
      'beforeend',
      '<div role="dialog"><button id="sure"></button></div>',
    );
    focusOn('#sure');
    find('li').remove();
    find('[role=dialog]').remove();
    await expect.poll(focused).toBe('add');
  });

  it('returns to a control that was disabled while it worked', async () => {
    show('<main><button id="busy"></button><button></button></main>');
    focusOn('#busy');
    find('#busy').setAttribute('disabled', '');
    find('#busy').setAttribute('aria-busy', 'true');
    // Browsers take it from there; jsdom does not.
    find('#busy').blur();
    await frames(ENOUGH);
    expect(document.body).toHaveFocus();
    find('#busy').removeAttribute('aria-busy');
    find('#busy').removeAttribute('disabled');
    await expect.poll(focused).toBe('busy');
  });
});

describe.each([
  ['is disabled', 'disabled'],
  ['takes nothing', 'inert'],
])('while the part around a control %s and is busy,', (_, attribute) => {
  const begin = async () => {
    show('<main><form><fieldset><input id="chosen"></fieldset><input></form></main>');
    focusOn('#chosen');
    find('form').setAttribute('aria-busy', 'true');
    find('fieldset').setAttribute(attribute, '');
    find('#chosen').blur();
    await frames(ENOUGH);
  };

  it('the focus waits, and returns to the control', async () => {
    await begin();
    expect(document.body).toHaveFocus();
    find('form').removeAttribute('aria-busy');
    find('fieldset').removeAttribute(attribute);
    await expect.poll(focused).toBe('chosen');
  });

  it('the focus waits, and goes on where the control goes', async () => {
    await begin();
    find('form').removeAttribute('aria-busy');
    find('fieldset').outerHTML = '<input id="other">';
    await expect.poll(focused).toBe('other');
  });
});

describe('the focus is left alone', () => {
  it('of a row that leaves its list: another one is something else', async () => {
    show(
      '<main><ul><li data-row="0"><button id="gone"></button></li><li data-row="1"><button></button></li></ul></main>',
    );
    focusOn('#gone');
    find('li').remove();
    await frames(ENOUGH);
    expect(document.body).toHaveFocus();
  });

  it('where a field was left on purpose', async () => {
    show('<main><div><input id="left"><button></button></div></main>');
    focusOn('#left');
    find('#left').blur();
    await frames(ENOUGH);
    find('#left').remove();
    await frames(ENOUGH);
    expect(document.body).toHaveFocus();
  });

  it('of somebody who points', async () => {
    show('<main><div><button id="gone"></button><button></button></div></main>');
    fireEvent.pointerDown(find('#gone'));
    find('#gone').focus();
    find('#gone').remove();
    await frames(ENOUGH);
    expect(document.body).toHaveFocus();
  });
});
