// Writes the map of the demo: node unit/src/simulated/map/main.ts FILE.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTownMap } from './town.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the file.');
await mkdir(path.dirname(file), { recursive: true });
// Beside it and then renamed: a server that reads the file keeps its bytes.
const made = `${file}.new`;
await writeFile(made, makeTownMap());
await rename(made, file);
