// Numbers and names as people read them.

export function time(us: number): string {
  if (us >= 120e6) return `${(us / 60e6).toFixed(1)} min`;
  if (us >= 1e6) return `${(us / 1e6).toFixed(2)} s`;
  if (us >= 1e3) return `${(us / 1e3).toFixed(us >= 100e3 ? 0 : 1)} ms`;
  return `${us.toFixed(0)} µs`;
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

export const count = (n: number) => n.toLocaleString('en-US');
export const plural = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

// Positions in `name` where a part ends at nesting depth 0: after '.' and '::', outside <>, () and [].
function parts(name: string): number[] {
  const starts = [0];
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i]!;
    if (c === '<' || c === '(' || c === '[') depth++;
    else if (c === '>' || c === ')' || c === ']') depth--;
    else if (depth === 0 && c === '.' && i > 0 && name[i - 1] !== '.') starts.push(i + 1);
    else if (depth === 0 && c === ':' && name[i - 1] === ':') starts.push(i + 1);
  }
  return starts;
}

function withoutParameters(name: string): string {
  if (!name.endsWith(')')) return name;
  let depth = 0;
  for (let i = name.length - 1; i > 0; i--) {
    if (name[i] === ')') depth++;
    else if (name[i] === '(' && --depth === 0) return name.slice(0, i);
  }
  return name;
}

// Shorter and shorter forms of a name: all of it, without parameters, Type.Method, Method.
// Library markers such as "[libcoreclr.so]" and C symbols ("msort_with_tmp.part.0") have one form.
export function shortForms(name: string): string[] {
  if (name.startsWith('[') || !/\(|::/.test(name)) return [name];
  const bare = withoutParameters(name);
  const starts = parts(bare);
  const forms = [name, bare];
  if (starts.length > 2) forms.push(bare.slice(starts[starts.length - 2]));
  if (starts.length > 1) forms.push(bare.slice(starts[starts.length - 1]));
  return forms.filter((form, i) => i === 0 || (form.length > 0 && form.length < forms[i - 1]!.length));
}
