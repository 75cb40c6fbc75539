import { test } from 'tap'
import { detectEncoding } from '../../src/tabular/text/detect-encoding.ts'
import type { Encoding } from '../../src/tabular/text/encodings.ts'
import { encodeText } from '../../src/tabular/write/encode-text.ts'
import { outline, rowsOf } from './read-all.ts'

const NAMES = {
  western: ['José Martínez', 'Begoña Núñez', 'François Guérin', 'Jörg Weiß', 'Søren Højlund', 'São João'],
  euro: ['José 5 €', 'Begoña Núñez', 'Hélène Cœur'],
  central: ['Jiří Dvořáček', 'Kateřina Kučerová', 'Łucja Wójcicka', 'Gergő Kőhalmi', 'Željko Marić'],
  turkish: ['Ayşegül Yıldırım', 'Oğuzhan Çakır', 'İbrahim Şen', 'Hüseyin Öztürk'],
  russian: ['Сергей Кузьмин', 'Ольга Шульгина', 'ПЕТРОВА АННА', 'Новосибирск'],
  greek: ['Σπύρος Μαυρίδης', 'Λάρισα', 'Παναγιώτης Κωστόπουλος'],
  hebrew: ['דוד בן גוריון', 'רונית שמיר', 'חיפה', 'רמת גן', 'יצחק נבון', 'שרה אהרונסון', 'נתניה', 'גבעתיים', 'צפורה'],
  arabic: ['طارق الحسيني', 'نورة العتيبي', 'شارع الجمهورية', 'المنصورة'],
  japanese: ['田中さくら', '鈴木イチロー', '東京都港区', 'やまだ花子', '表示ソフト'],
  simplified: ['王小明', '北京市朝阳区', '上海浦东新区', '中山路', '人民路一百号', '有限公司'],
  traditional: ['王小明', '台北市信義區', '中山北路二段', '股份有限公司', '許功蓋'],
  korean: ['김철수', '서울특별시 강남구', '이영희', '부산광역시', '박지성', '테헤란로', '최민식', '대한민국']
}

const CHARSETS: readonly (readonly [Encoding, keyof typeof NAMES])[] = [
  ['windows-1252', 'western'],
  ['macintosh', 'western'],
  ['iso-8859-15', 'euro'],
  ['windows-1250', 'central'],
  ['iso-8859-2', 'central'],
  ['iso-8859-9', 'turkish'],
  ['windows-1251', 'russian'],
  ['koi8-r', 'russian'],
  ['iso-8859-5', 'russian'],
  ['ibm866', 'russian'],
  ['iso-8859-7', 'greek'],
  ['windows-1255', 'hebrew'],
  ['windows-1256', 'arabic'],
  ['iso-8859-6', 'arabic'],
  ['euc-jp', 'japanese'],
  ['iso-2022-jp', 'japanese'],
  ['shift_jis', 'japanese'],
  ['gb18030', 'simplified'],
  ['big5', 'traditional'],
  ['uhc', 'korean'],
  ['utf-16le', 'russian'],
  ['utf-16be', 'japanese'],
  ['utf-32le', 'korean'],
  ['utf-32be', 'arabic']
]

for (const [encoding, language] of CHARSETS) {
  test(`${language} text in ${encoding} is told by its words and read to the letter`, async t => {
    const text = `permit_number|applicant|status\n${NAMES[language].map((name, row) => `BP-${row}|${name}|"a|b"`).join('\n')}\n`
    const bytes = encodeText(text, encoding)
    t.equal(detectEncoding(bytes).encoding, encoding)
    const rows = await rowsOf(bytes)
    t.strictSame(
      rows.map(row => row.values),
      NAMES[language].map((name, row) => [`BP-${row}`, name, 'a|b'])
    )
  })
}

test('a text that two languages could have written in two encodings is not guessed', t => {
  for (const name of ['Ku\xe8era', 'Sz\xfbcs']) {
    t.equal(detectEncoding(Buffer.from(`name\n${name}\n`, 'latin1')).encoding, 'ascii', name)
  }
  t.equal(detectEncoding(encodeText('name\n山田太郎\n', 'euc-jp')).encoding, 'ascii', 'characters of both languages')
  t.end()
})

test('a cell that is UTF-8 by itself holds its row in a file of another encoding', async t => {
  const rows = await rowsOf(Buffer.from('applicant,status\nJos\xe9,open\nM\xfcller,\xc3\xa9\nZo\xeb,shut\n', 'latin1'))
  t.strictSame(outline(rows), ['1 2 ok', '2 3 ENCODING_INVALID', '3 4 ok'])
  t.equal(rows[1]?.fault?.detail, 'on line 3, in column 2 “status”')
})

test('bytes of longer characters are no delimiters, quotes or escapes', async t => {
  // The second bytes of these are `|` and `\`.
  const rows = await rowsOf(encodeText('permit_number|applicant\nBP-1|"ポ表"\nBP-2|"ソ能"\n', 'shift_jis'), {
    encoding: 'shift_jis'
  })
  t.strictSame(
    rows.map(row => row.values),
    [
      ['BP-1', 'ポ表'],
      ['BP-2', 'ソ能']
    ]
  )
})

test('a character cut short spoils its own row only', async t => {
  const good = encodeText('permit_number|applicant\nBP-1|', 'shift_jis')
  const bytes = Buffer.concat([good, Buffer.from([0x95]), encodeText('\nBP-2|表示\n', 'shift_jis')])
  t.strictSame(outline(await rowsOf(bytes, { encoding: 'shift_jis' })), ['1 2 ENCODING_INVALID', '2 3 ok'])
})
