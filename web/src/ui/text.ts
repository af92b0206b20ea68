// Numbers and names as people read them.

export function time(us: number): string {
  if (us >= 120e6) return `${(us / 60e6).toFixed(1)} min`;
  if (us >= 1e6) return `${(us / 1e6).toFixed(2)} s`;
  if (us >= 1e3) return `${(us / 1e3).toFixed(us >= 100e3 ? 0 : 1)} ms`;
  return `${us.toFixed(0)} µs`;
}

// The same of calls, some of which take nanoseconds.
export function fine(us: number): string {
  if (us >= 999.5) return time(Math.max(us, 1000));
  if (us >= 0.9995) return `${us < 9.995 ? us.toFixed(2) : us < 99.95 ? us.toFixed(1) : us.toFixed(0)} µs`;
  return `${(us * 1000).toFixed(0)} ns`;
}

function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; n >= 1023.5 && unit + 1 < units.length; unit++) n /= 1024;
  return `${n.toFixed(unit === 0 || n >= 99.95 ? 0 : n < 9.995 ? 2 : 1)} ${units[unit]}`;
}

// What an event measures: microseconds where its unit is nanoseconds.
export function amount(value: number, unit: string): string {
  if (unit === 'nanoseconds') return time(value);
  return unit === 'bytes' ? bytes(value) : count(value);
}

// A mark on a time axis with marks every `step`: no more digits than tell them apart.
export function mark(us: number, step: number): string {
  if (us === 0) return '0';
  const [unit, name] = step >= 60e6 ? [60e6, 'min'] : step >= 100e3 ? [1e6, 's'] : step >= 100 ? [1e3, 'ms'] : [1, 'µs'];
  return `${(us / unit).toFixed(step % unit === 0 ? 0 : step % (unit / 10) === 0 ? 1 : 2)} ${name}`;
}

export function percent(part: number, whole: number): string {
  if (!(whole > 0)) return '0%';
  const share = (100 * part) / whole;
  if (share > 0 && share < 0.01) return '<0.01%';
  if (share < 100 && share > 99.99) return '>99.99%';
  return `${share.toFixed(share >= 99.995 || share === 0 ? 0 : share < 10 || share > 99 ? 2 : 1)}%`;
}

// A share that is at least so much and at most so much: "4.1%", "4.1–7.3%", "≤ 3.2%"; empty: it is none.
export function range(least: number, most: number, whole: number): string {
  if (!(whole > 0) || most <= 0) return '';
  const short = (part: number, wholeFrom: number) => {
    const share = (100 * part) / whole;
    return share > 0 && share < 0.05 ? '<0.1' : share.toFixed(share >= wholeFrom ? 0 : 1);
  };
  const one = short(most, 99.95);
  if (least === 0 && most > 0) return `≤ ${one}%`;
  if (short(least, 99.95) === one) return `${one}%`;
  return `${short(least, 9.95)}–${short(most, 9.95)}%`;
}

export const count = (n: number) => n.toLocaleString('en-US');
export const plural = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

const CUT = '…';
const OPERATOR = 'operator ';

// Positions in `name` where a part begins at nesting depth 0: after '.' and '::', outside <>, () and [].
function parts(name: string): number[] {
  const starts = [0];
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i]!;
    if (name.startsWith(OPERATOR, i) && (i === 0 || /[. ]/.test(name[i - 1]!))) break; // its brackets are signs
    if (c === '<' || c === '(' || c === '[') depth++;
    else if (c === '>' || c === ')' || c === ']') depth--;
    else if (depth === 0 && c === '.' && i > 0 && name[i - 1] !== '.') starts.push(i + 1);
    else if (depth === 0 && c === ':' && name[i - 1] === ':') starts.push(i + 1);
  }
  return starts;
}

// What goes on with the part before it: a lambda in its method, an accessor of its property.
const BELONGS = /^(\((lambda|closure)\b|(get|set|add|remove)$)/;

// Those of a name without parameters at which a type or a member begins.
const members = (bare: string): number[] => parts(bare).filter((start) => start === 0 || !BELONGS.test(bare.slice(start)));

function withoutParameters(name: string): string {
  if (!name.endsWith(')')) return name;
  let depth = 0;
  for (let i = name.length - 1; i > 0; i--) {
    if (name[i] === ')') depth++;
    else if (name[i] === '(' && --depth === 0) return /[.\s]/.test(name[i - 1]!) ? name : name.slice(0, i);
  }
  return name;
}

// "Map<…>.Find" of "Map<string, int>.Find".
function withoutArguments(name: string): string {
  const signs = name.search(/(^|[. ])operator /);
  const end = signs < 0 ? name.length : signs;
  let out = '';
  let depth = 0;
  for (const c of name.slice(0, end)) {
    if (c === '>' && depth > 0 && --depth === 0) out += CUT;
    if (depth === 0) out += c;
    if (c === '<') depth++;
  }
  return depth === 0 ? out + name.slice(end) : name;
}

const withoutTags = (name: string) => name.replace(/ \[[^[\]]*\]$/, '');

// "A.B.Run(Line)" of "A.B.Run(Line) {A+B.Run(X.Line)}", where the raw name tells two methods apart.
function withoutRawName(name: string): string {
  const brace = name.endsWith('}') ? name.indexOf(' {') : -1;
  return brace > 0 ? name.slice(0, brace) : name;
}

// Without all that stands behind Type.Method.
const bareOf = (name: string) => withoutParameters(withoutTags(withoutRawName(name)));

// A longer one is text that nobody wrote: it is cut where it does not fit.
const LONGEST = 4096;
const hasOneForm = (name: string) => /^[[(]/.test(name) || name.length > LONGEST || !/\(|::/.test(name);

// Where the name begins behind its namespace. own: as the report says it; 0: it does not, or there is none.
function ownOf(name: string, own: number): number {
  if (own > 0) return own;
  const starts = members(bareOf(name));
  return starts.length > 2 ? starts[starts.length - 2]! : 0;
}

// Shorter and shorter forms of a name: all of it, without the namespace's first parts, without the namespace, without
// parameters, without the type's arguments, Type.Method, Method. Library markers such as "[libcoreclr.so]" and C symbols ("msort_with_tmp.part.0") have
// one form.
export function shortForms(name: string, own = 0): string[] {
  if (hasOneForm(name)) return [name];
  const at = ownOf(name, own);
  const forms = [name];
  name = withoutRawName(name);
  forms.push(name);
  for (const start of parts(name.slice(0, at)).slice(1)) if (start < at) forms.push(CUT + name.slice(start));
  if (at > 0) forms.push(name.slice(at));
  const bare = bareOf(name).slice(at);
  const brief = withoutArguments(bare);
  forms.push(bare, brief);
  for (const start of members(brief).slice(1)) forms.push(brief.slice(start));
  return forms.filter((form, i) => i === 0 || (form.length > 0 && form.length < forms[i - 1]!.length));
}

// The form people know a function by: Type.Method.
export function typeAndMethod(name: string, own = 0): string {
  if (hasOneForm(name)) return name;
  const bare = bareOf(name);
  const starts = members(bare);
  return bare.slice(starts.length > 1 ? Math.max(own, starts[starts.length - 2]!) : 0);
}

// A name in two parts: its namespace, which gives way first, and the rest.
export function splitName(name: string, own = 0): [space: string, rest: string] {
  if (hasOneForm(name)) return ['', name];
  const at = ownOf(name, own);
  return [name.slice(0, at), name.slice(at)];
}
