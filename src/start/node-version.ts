/** The oldest supported Node.js; the same as `engines` in package.json. */
const OLDEST = [22, 13] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `sealpush: Node.js ${OLDEST.join('.')} or newer is needed, this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
