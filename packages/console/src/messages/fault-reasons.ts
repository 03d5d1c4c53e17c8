/**
 * The server tells the faults of a file in English. These are its sentences in Chinese; `$1` and so on are what differs
 * from fault to fault, and `$r1` a part that is such a sentence itself.
 */
const chinese: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^is required$/, '必填'],
  [/^is required, but is not in the header$/, '必填，但表头中没有该列'],
  [/^is given twice$/, '重复出现'],
  [/^is not a known field$/, '不是已知字段'],
  [/^is not a known field; did you mean (.+)\?$/s, '不是已知字段；是否应为 $1？'],
  [/^is not a known field; known fields are (.+)$/s, '不是已知字段；已知字段有 $1'],
  [/^must be a string$/, '必须是字符串'],
  [/^must be a string: put it in quotes$/, '必须是字符串：请加引号'],
  [/^may have at most (\d+) characters, has (\d+)$/, '最多 $1 个字符，实有 $2 个'],
  [/^may have at most (\d+) characters$/, '最多 $1 个字符'],
  [/^must not contain control characters or broken Unicode$/, '不得包含控制字符或不完整的 Unicode'],
  [
    /^must not contain commas, semicolons, control characters or broken Unicode$/,
    '不得包含逗号、分号、控制字符或不完整的 Unicode',
  ],
  [/^must not be empty$/, '不得为空'],
  [/^must not contain a comma$/, '不得包含逗号'],
  [/^must not begin or end with a blank$/, '首尾不得有空格'],
  [/^must not be a relative path segment$/, '不得为 . 或 ..'],
  [/^must have the form (.+?): capital letters, digits and _$/s, '格式须为 $1：大写字母、数字和 _'],
  [
    /^must have the form (.+?): letters, digits, _ and - between dots$/s,
    '格式须为 $1：点号之间为字母、数字、_ 和 -',
  ],
  [/^must have the form (.+)$/s, '格式须为 $1'],
  [/^may have key and label only, not (.+)$/s, '只能有 key 和 label，不能有 $1'],
  [/^must have a string as label$/, 'label 必须是字符串'],
  [/^has a label that (.+)$/s, 'label 有误：$r1'],
  [/^must be a type key, or an object with key and label$/, '必须是类型键，或含有 key 和 label 的对象'],
  [/^must be an RFC 3339 time as a string$/, '必须是 RFC 3339 时间字符串'],
  [/^must be an RFC 3339 time such as (.+)$/s, '必须是 RFC 3339 时间，例如 $1'],
  [/^must be a real date, (.+) does not exist$/s, '日期 $1 不存在'],
  [/^must be a time of day between (.+) and (.+)$/s, '时刻须在 $1 与 $2 之间'],
  [
    /^must have a time zone: end it with Z or an offset such as (.+)$/s,
    '必须有时区：以 Z 或 $1 之类的偏移结尾',
  ],
  [/^may have at most nine digits after the second$/, '秒的小数最多九位'],
  [/^must have an offset below 24:00$/, '时区偏移须小于 24:00'],
  [/^must lie between the years 0000 and 9999 in UTC$/, '按 UTC 须在 0000 年至 9999 年之间'],
  [/^must be a whole number between (\d+) and (\d+)$/, '必须是 $1 到 $2 之间的整数'],
  [/^must be true or false$/, '必须是 true 或 false'],
  [
    /^must be an object of texts, such as (.+), or a text such as (.+)$/s,
    '必须是文本对象，例如 $1，或 $2 这样的文本',
  ],
  [
    /^must be key=value pairs separated by semicolons, such as (.+)$/s,
    '必须是以分号分隔的 key=value，例如 $1',
  ],
  [/^may have at most (\d+) labels, has (\d+)$/, '最多 $1 个标签，实有 $2 个'],
  [/^has the key (.+?), which (.+)$/s, '标签键 $1 有误：$r2'],
  [/^has a value for (.+?) that (.+)$/s, '标签 $1 的值有误：$r2'],
  [/^names a label whose key (.+)$/s, '标签键有误：$r1'],
  [/^has (.+) twice$/s, '$1 重复出现'],
  [/^belongs to station (.+); this request writes to (.+)$/s, '属于监控站 $1；此次写入的是 $2'],
  [/^a record must be an object with fields$/, '记录必须是含有字段的对象'],
  [/^(.+) is already on line (\d+)$/s, '$1 已出现在第 $2 行'],
  [/^(.+) is already on line (\d+), column (\d+)$/s, '$1 已出现在第 $2 行第 $3 列'],
  [/^(.+) is already the name on line (\d+)$/s, '名称 $1 已用于第 $2 行'],
  [/^(.+) is already the name on line (\d+), column (\d+)$/s, '名称 $1 已用于第 $2 行第 $3 列'],
  [/^(.+) belongs to the resource (.+)$/s, '$1 已属于资源 $2'],
  [/^(.+) is not in the station$/s, '$1 不在监控站中'],
  [/^uses (.+) between cells: separate them with commas$/s, '单元格以 $1 分隔：请改用逗号'],
  [
    /^has labels in one column and in columns of their own; keep one of the two$/,
    '标签既在一列中又各自成列；请只保留一种',
  ],
  [/^has (\d+) names; a record has at most (\d+) fields$/, '有 $1 个列名；一条记录最多 $2 个字段'],
  [/^this column has no name: name it or delete it$/, '该列没有列名：请命名或删除'],
  [/^is in the header twice, first in column (\d+)$/, '在表头中重复出现，首次在第 $1 列'],
  [/^has (\d+) cells; the header has (\d+)$/, '有 $1 个单元格；表头有 $2 个'],
  [/^this cell has (.+), but its column has no name$/s, '该单元格为 $1，但该列没有列名'],
  [/^the quote that begins this cell is never closed$/, '该单元格开头的引号没有闭合'],
  [
    /^the quote that begins this cell is not closed within (\d+) bytes, the limit for a record$/,
    '该单元格开头的引号在单条记录上限 $1 字节内没有闭合',
  ],
  [/^the lines must end with LF or CRLF, not with CR alone$/, '行尾须为 LF 或 CRLF，不能只有 CR'],
  [
    /^a quote is allowed in a quoted cell only; quote the cell and double the quote$/,
    '引号只能出现在带引号的单元格中；请给单元格加引号，并将引号写成两个',
  ],
  [/^only a comma may follow the quote that ends a cell$/, '单元格结尾的引号后只能是逗号'],
  [/^is not valid UTF-8; save the file as UTF-8$/, '不是有效的 UTF-8；请将文件保存为 UTF-8'],
  [/^is not valid (JSON|YAML): (.+)$/s, '不是有效的 $1：$2'],
  [/^is nested too deeply$/, '嵌套过深'],
  [/^has more than (\d+) values$/, '超过 $1 个值'],
  [/^a record may have at most (\d+) bytes$/, '一条记录最多 $1 字节'],
  [/^a record may have at most (\d+) tokens$/, '一条记录最多 $1 个词法单元'],
  [/^the alias (\S+) needs the anchor (\S+), .*$/s, '别名 $1 缺少锚点 $2'],
  [
    /^must be at most (\d+) letters, digits, .*, and begin and end with a letter or digit$/,
    '最多 $1 个字母、数字、“-”、“_”或“.”，且首尾须为字母或数字',
  ],
  [/^must have a DNS name before the slash, such as (.+)$/s, '斜杠前须为 DNS 名称，例如 $1'],
  [
    /^would be one more than (\d+) (?:resource types|states in a station|products in a body), got (.+); .*$/s,
    '取值 $2 会使不同取值超过 $1 个；该列是否对应正确？',
  ],
];

/** The reason of a fault in a language; unknown ones stay as they are. */
export function reasonIn(language: 'en' | 'zh', reason: string): string {
  if (language === 'en') return reason;
  return withValue(reason) ?? inChinese(reason) ?? reason;
}

function inChinese(reason: string): string | undefined {
  for (const [pattern, text] of chinese) {
    const match = pattern.exec(reason);
    if (match === null) continue;
    return text.replace(/\$(r?)(\d)/g, (_, isReason: string, at: string) => {
      const part = match[Number(at)]!;
      return isReason === '' ? part : (inChinese(part) ?? part);
    });
  }
  return undefined;
}

/** Most end with the value that was given. */
function withValue(reason: string): string | undefined {
  const at = reason.indexOf(', got ');
  const text = at === -1 ? undefined : inChinese(reason.slice(0, at));
  return (
    text && `${text}；实际为 ${reason.slice(at + 6).replace(/; did you mean (.+)\?$/s, '；是否应为 $1？')}`
  );
}
