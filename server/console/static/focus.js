// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps the focus where it was when what had it is drawn anew: at what bears its name, or else at
// the nearest part around it that is still there. Without this it would be lost to the page's begin.

const controls = "a[href], button, input, select, textarea, summary, [role='button']";
const patience = 5000; // milliseconds in which what had the focus may come back

/** What a control is called. */
const nameOf = (e) => `${e.tagName} ${e.getAttribute("aria-label") ?? e.closest("label")?.textContent.trim() ??
  e.textContent.trim()}`;

/** Whether nothing has the focus. */
const lost = () => !document.activeElement || document.activeElement === document.body;

/** Gives the focus to a part that is no control. */
function rest(part) {
  if (part.tabIndex < 0) part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

let wished; // what is to have the focus as soon as it is there

/** Gives the focus to what an action makes: a selector. */
export function focusOn(selector) {
  wished = { selector, since: performance.now() };
}

/** Keeps the focus within a part of the page. */
export function keepFocus(main) {
  let last; // what has had the focus: its name, itself and all around it
  let place; // where the focus rests until that is there again
  main.addEventListener("focusin", ({ target }) => {
    if (target === place) return;
    const around = [];
    for (let e = target; e !== main; e = e.parentElement) around.push(e);
    last = { name: nameOf(target), around, gone: 0 };
    place = undefined;
  });
  const look = () => {
    const found = wished && performance.now() - wished.since < patience && main.querySelector(wished.selector);
    if (found) {
      wished = undefined;
      return found.focus({ preventScroll: true });
    }
    if (!last?.around.length || last.around[0].isConnected) return;
    if (!lost() && document.activeElement !== place) return;
    last.gone ||= performance.now();
    if (performance.now() - last.gone > patience) {
      last = undefined;
      return;
    }
    const near = last.around.find((e) => e.isConnected && e.matches("section, .page")) ?? main;
    const same = (within) => [...within.querySelectorAll(controls)].find((e) => nameOf(e) === last.name && !e.disabled);
    const again = same(near) ?? same(main);
    if (again) again.focus({ preventScroll: true });
    else if (lost()) rest(place = near);
  };
  new MutationObserver(look).observe(main, { childList: true, subtree: true });
}
