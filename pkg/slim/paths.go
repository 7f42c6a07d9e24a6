package slim

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"k8s.io/apimachinery/pkg/runtime"
)

// slimmersOf returns what is kept of a list, and of the objects in it.
func slimmersOf(list runtime.Object, paths []string) (ofList, ofObject slimmer, err error) {
	kind := reflect.TypeOf(list).Elem()
	number, items, err := fieldOf(kind, "items")
	if err != nil {
		return ofList, ofObject, err
	}
	kept, err := fieldsOf(items, paths)
	if err != nil {
		return ofList, ofObject, err
	}
	keptOfList, err := fieldsOf(kind, []string{"metadata"})
	if err != nil {
		return ofList, ofObject, err
	}
	keptOfList[number] = kept
	identity, err := identityOf(items, kept)
	return slimmer{kind: kind.Name(), kept: keptOfList}, slimmer{items.Name(), kept, identity}, err
}

// identityOf returns where an object has its uid and its version, if both are kept.
func identityOf(object reflect.Type, kept fields) (identity, error) {
	uid, err := numbersOf(object, "metadata.uid")
	if err != nil {
		return identity{}, err
	}
	version, err := numbersOf(object, "metadata.resourceVersion")
	if err != nil || !kept.has(uid) || !kept.has(version) {
		return identity{}, err
	}
	return identity{uid, version}, nil
}

// fieldsOf returns the fields of a message at some paths.
func fieldsOf(message reflect.Type, paths []string) (fields, error) {
	all := fields{}
	for _, path := range paths {
		numbers, err := numbersOf(message, path)
		if err != nil {
			return nil, err
		}
		all.add(numbers)
	}
	return all, nil
}

// numbersOf returns the numbers of fields that lead to a path.
func numbersOf(message reflect.Type, path string) (numbers []protowire.Number, err error) {
	for name := range strings.SplitSeq(path, ".") {
		number, inner, err := fieldOf(message, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		numbers, message = append(numbers, number), inner
	}
	return numbers, nil
}

// fieldOf returns the number of a message's field, by its name in JSON, and the type of what is in it.
func fieldOf(message reflect.Type, name string) (protowire.Number, reflect.Type, error) {
	if message.Kind() != reflect.Struct {
		return 0, nil, fmt.Errorf("%s has no fields", message)
	}
	for at := range message.NumField() {
		field := message.Field(at)
		if inJSON, _, _ := strings.Cut(field.Tag.Get("json"), ","); inJSON != name {
			continue
		}
		number, err := strconv.ParseInt(strings.Split(field.Tag.Get("protobuf")+",", ",")[1], 10, 32)
		if err != nil {
			return 0, nil, fmt.Errorf("%s of %s is not in protobuf: %w", name, message, err)
		}
		return protowire.Number(number), element(field.Type), nil
	}
	return 0, nil, fmt.Errorf("%s has no field %s", message, name)
}

// element returns what a pointer or a slice leads to.
func element(of reflect.Type) reflect.Type {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	return of
}
