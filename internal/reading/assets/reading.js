// Search in the pages, and buttons that copy code. Without scripts the pages are whole, but have neither.
'use strict';

const up = document.currentScript.dataset.up;
const most = 20; // results that are shown

// load brings the index, once, when somebody searches: a script, because a page of a folder may not fetch.
let loading;
const load = () => loading ??= new Promise((resolve, reject) => {
  const script = document.createElement('script');
  script.src = `${up}index.js`;
  script.onload = () => resolve(globalThis.tollgateIndex);
  script.onerror = reject;
  document.head.append(script);
});

// score says how well a section fits words, 0 for not at all: headings count more than text, whole words more than parts.
const score = (entry, words) => {
  const heading = entry.Heading.toLowerCase(), page = entry.Page.toLowerCase(), text = entry.Text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const whole = new RegExp(`(^|[^a-z0-9_])${word.replace(/[^a-z0-9_]/g, '\\$&')}($|[^a-z0-9_])`);
    const here = (heading === word ? 100 : 0) + (whole.test(heading) ? 40 : heading.includes(word) ? 20 : 0) +
      (page.includes(word) ? 10 : 0) + (whole.test(text) ? 6 : text.includes(word) ? 2 : 0);
    if (here === 0) return 0;
    sum += here;
  }
  return sum + (['Guides', 'Reference', 'Start', 'Tables'].includes(entry.Shelf) ? 3 : 0);
};

// shown is the line of the text that has the most of the words, with the words marked.
const shown = (text, words) => {
  const lines = text.split('\n');
  const fits = lines.map((line) => words.filter((word) => line.toLowerCase().includes(word)).length);
  const line = lines[fits.indexOf(Math.max(...fits))];
  const places = words.map((word) => line.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const from = places.length > 0 ? Math.max(0, Math.min(...places) - 60) : 0;
  const piece = (from > 0 ? '…' : '') + line.slice(from, from + 160);
  const small = document.createElement('small');
  const parts = words.map((word) => word.replace(/[^a-z0-9_]/gi, '\\$&'));
  for (const part of piece.split(new RegExp(`(${parts.join('|')})`, 'i'))) {
    if (words.includes(part.toLowerCase())) {
      const mark = document.createElement('mark');
      mark.textContent = part;
      small.append(mark);
    } else {
      small.append(part);
    }
  }
  return small;
};

const item = (entry, words) => {
  const line = document.createElement('li'), link = document.createElement('a'), title = document.createElement('strong');
  title.textContent = entry.Heading === '' ? entry.Page : `${entry.Page}: ${entry.Heading}`;
  link.href = up + entry.URL;
  link.append(title, shown(entry.Text, words));
  line.append(link);
  return line;
};

const form = document.getElementById('search');
const input = form.querySelector('input');
const results = document.getElementById('results');

const search = async () => {
  const asked = input.value;
  const words = asked.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) {
    results.hidden = true;
    return;
  }
  const index = await load();
  if (asked !== input.value) return; // more was typed meanwhile
  const found = index.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0);
  found.sort(([a], [b]) => b - a);
  results.replaceChildren(...found.slice(0, most).map(([, entry]) => item(entry, words)));
  if (found.length === 0) {
    const none = document.createElement('li'), text = document.createElement('p');
    text.textContent = 'Nothing found.';
    none.append(text);
    results.append(none);
  }
  results.hidden = false;
};

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
input.addEventListener('input', search);
input.addEventListener('focus', search);
document.addEventListener('keydown', (event) => {
  const links = [...results.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Escape') {
    results.hidden = true;
  } else if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  } else if (!results.hidden && event.key === 'ArrowDown' && at + 1 < links.length) {
    event.preventDefault();
    links[at + 1].focus();
  } else if (!results.hidden && event.key === 'ArrowUp' && at >= 0) {
    event.preventDefault();
    (at === 0 ? input : links[at - 1]).focus();
  }
});
document.addEventListener('click', (event) => {
  if (!form.contains(event.target) || event.target.closest('#results a')) results.hidden = true;
});

// The list of pages is open beside the text, and closed above it.
const pages = document.getElementById('pages');
const narrow = matchMedia('(max-width: 52rem)');
const fold = () => { pages.open = !narrow.matches; };
narrow.addEventListener('change', fold);
fold();

for (const code of document.querySelectorAll('main pre')) {
  if (navigator.clipboard === undefined) break;
  const box = document.createElement('div'), button = document.createElement('button');
  box.className = 'code';
  button.className = 'copy';
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  });
  code.replaceWith(box);
  box.append(code, button);
}
